/** Each example as a template. `contract/examples` plays the READMEs. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createStack, type Stack } from "../engine";
import { nowhere } from "../support/product";
import { isLong } from "../support/runs";

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** It has a template for each language. */
const everyLanguage = "07-every-language";
const templates = examples.map((name) => (name === everyLanguage ? `${name}/nodejs` : name));
/** A plain run creates a project from every third example. */
const made = templates.filter((_, at) => isLong || at % 3 === 0);

describe("pulumi new", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await createStack({ program: { "index.js": "" } });
  });
  afterAll(() => stack.dispose());

  it("makes a project of each example, which needs nothing of this repository", async () => {
    for (const example of made) {
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
      // Pulumi's bundled compiler is too old for their tsconfig.json.
      expect(devDependencies["typescript"]).toBe("^5.0.0");
    }
  });

  it("makes a project that can be previewed", async () => {
    const folder = join(stack.folder, "my-01-hello");
    const hello = await createStack({
      program: folder,
      inPlace: true,
      config: { "my-01-hello:modelApiKey": { secret: "sk-1" } },
      env: nowhere,
    });
    expect((await hello.preview()).output).toContain("2 to create");
    await hello.dispose();
  });
});

interface Project {
  readonly template?: { readonly config: Record<string, { secret?: boolean; default?: string }> };
}
