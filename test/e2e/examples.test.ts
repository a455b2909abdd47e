import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { outside } from "../docs/outside";
import { langsmith } from "../../emulator";
import { createStack, type Stack } from "../engine";
import { useProduct, type ProductOptions } from "./support";

interface Needs extends Omit<ProductOptions, "program"> {
  /** What must have happened on the service before. */
  readonly outside?: string;
}

/** What an example needs beside its folder. */
const needs: Record<string, Needs> = {
  "01-hello": { config: { "hello:modelApiKey": { secret: "sk-1" } } },
  "02-yaml-to-program": { config: { "yaml-to-program:modelApiKey": { secret: "sk-1" } } },
  "03-ci": { config: { "ci:modelApiKey": { secret: "sk-1" } } },
  "05-repositories": {
    config: { "repositories:integrationId": "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11" },
    outside: "repositories",
  },
  "06-public-service": {
    config: {
      "public-service:integrationId": "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
      "public-service:repoUrl": "https://code.example.com/acme/chat",
      "public-service:modelApiKey": { secret: "sk-1" },
    },
    emulator: { rules: langsmith },
  },
  "11-folder": {
    config: { "folder:modelApiKey": { secret: "sk-1" } },
    emulator: { dialect: "langsmith" },
  },
  "08-pull-requests": { stack: "pr-7", env: { REVIEW_MODEL_API_KEY: "sk-1" } },
  "09-promote": { config: { "promote:image": `registry.example.com/chat@sha256:${"0f".repeat(32)}` } },
};

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** `test/contract/examples` runs its tests, */
const withTests = "10-test-your-program";
/** and plays the README of this one, which writes the manifest. */
const byHand = "04-adopt";
/** Its tests are those of languages. */
const everyLanguage = "07-every-language";
const templates = examples.map((name) => (name === everyLanguage ? `${name}/nodejs` : name));

const alone = examples.filter((name) => ![withTests, everyLanguage, byHand].includes(name));

describe.each(alone)("example %s", (name) => {
  const { outside: event, ...options }: Needs = needs[name] ?? {};
  const product = useProduct({ program: `examples/${name}`, ...options });
  beforeAll(() => {
    if (event !== undefined) outside[event]!(product.emulator);
  });

  it("is created, then previewed and refreshed without a change, then destroyed without a trace", async () => {
    const { writes } = await product.up();
    expect(writes.map(({ method }) => method)).toContain("POST");
    expect((await product.preview({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    await product.destroy();
    expect(product.emulator.deployments()).toEqual([]);
    expect(product.stack.state().resources).toEqual([]);
  });
});

describe("pulumi new", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await createStack({ program: { "index.js": "" } });
  });
  afterAll(() => stack.dispose());

  it("makes a project of each example, which needs nothing of this repository", async () => {
    for (const example of templates) {
      const name = `my-${example.replace("/", "-")}`;
      const folder = join(stack.folder, name);
      const args = ["--dir", folder, "--name", name, "--generate-only", "--offline", "--yes"];
      await stack.run(["new", resolve("examples", example), ...args]);

      const template = parse(readFileSync(`examples/${example}/Pulumi.yaml`, "utf8")) as Project;
      const project = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")) as Project;
      expect(project).toMatchObject({ name, runtime: "nodejs" });
      expect(project).not.toHaveProperty("template");
      expect(Object.keys(template.template!.config)).toContain("deployment-service:baseUrl");
      for (const { secret, default: value } of Object.values(template.template!.config))
        expect(secret === true && value !== undefined).toBe(false);
      const { dependencies, devDependencies } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      ) as Record<"dependencies" | "devDependencies", Record<string, string>>;
      expect(dependencies["pulumi-deployment-service"]).toBe("^0.1.0");
      // The compiler that Pulumi brings is older than what their tsconfig.json asks for.
      expect(devDependencies["typescript"]).toBe("^5.0.0");
    }
  });

  it("makes a project that can be previewed", async () => {
    const folder = join(stack.folder, "my-01-hello");
    const hello = await createStack({
      program: folder,
      inPlace: true,
      config: { "my-01-hello:modelApiKey": { secret: "sk-1" } },
      env: { DEPLOYMENT_SERVICE_URL: "http://127.0.0.1:9", DEPLOYMENT_SERVICE_API_KEY: "key" },
    });
    expect((await hello.preview()).output).toContain("2 to create");
    await hello.dispose();
  });
});

interface Project {
  readonly template?: { readonly config: Record<string, { secret?: boolean; default?: string }> };
}
