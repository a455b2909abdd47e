/** One program in three languages: what the service is sent, and what is in the state, does not tell which. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { read } from "../docs/documents";
import { fencesIn } from "../docs/markdown";
import type { Product, Write } from "../e2e/support";
import { writeFiles } from "../engine/program";
import { sdks } from "./folders";
import { exampleIn, languages, useLanguage, type Language } from "./support";

interface Trace {
  readonly writes: readonly Write[];
  readonly resources: readonly object[];
}
const traces = new Map<Language, Trace>();

describe.each(languages)("the example in %s", (language) => {
  const product = useLanguage(language);

  it("is a template of `pulumi new`, which needs nothing of this repository", async () => {
    const folder = join(product.stack.folder, "made");
    const args = ["--dir", folder, "--name", "made", "--generate-only", "--offline", "--yes"];
    await product.run(["new", exampleIn(language), ...args]);
    const project = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")) as object;
    expect(project).toMatchObject({ name: "made", runtime: language });
    expect(project).not.toHaveProperty("template");
    rmSync(folder, { recursive: true });
  });

  it("is created as it was previewed, and is then as declared", async () => {
    expect((await product.preview()).requests).toEqual([]);
    const { output, writes } = await product.up();
    expect(output).toMatch(/\+ 3 created/);
    traces.set(language, { writes, resources: await resourcesOf(product) });
    await product.preview({ args: ["--expect-no-changes"] });
    await product.refresh({ args: ["--expect-no-changes"] });
  });

  it("is destroyed", async () => {
    await product.destroy();
    expect(product.emulator.deployments()).toEqual([]);
  });
});

describe("docs/packaged-provider.md", () => {
  const python = useLanguage("python");
  const yaml = useLanguage("yaml");
  const sample = (language: string) =>
    fencesIn(read("docs/packaged-provider.md")).find((fence) => fence.language === language)!.text;

  it("has a sample in Python that can be previewed", async () => {
    python.stack.write({ "__main__.py": sample("python") });
    expect((await python.preview()).output).toContain("2 to create");
  });

  it("has a sample in Pulumi YAML that can be previewed", async () => {
    yaml.stack.write({ "Pulumi.yaml": sample("yaml").replace("name: shop", "name: every-language") });
    expect((await yaml.preview()).output).toContain("2 to create");
  });
});

describe("the three", () => {
  const [first, ...others] = languages;

  it.each(others)("send the same and keep the same: %s", (language) => {
    expect(traces.get(first)!.writes).toHaveLength(2);
    expect(traces.get(language)).toEqual(traces.get(first));
  });
});

it("the SDK for Go compiles", async () => {
  const modules = resolve(__dirname, "modules/codegen");
  const read = (file: string) => readFileSync(join(modules, file), "utf8");
  const [go] = /^go .+$/m.exec(read("go.mod"))!;
  const [requires] = /github.com\/pulumi\/pulumi\/sdk\/v3 v\S+/.exec(read("go.mod"))!;
  const sdk = "github.com/agentdeployments/pulumi-deployment-service/sdk/go";
  const goMod = [
    "module program",
    go,
    `require ${sdk} v0.0.0`,
    `require ${requires}`,
    `replace ${sdk} => ${join(sdks, "go")}`,
  ];
  const folder = mkdtempSync(join(sdks, "program-"));
  writeFiles(folder, {
    "go.mod": `${goMod.join("\n")}\n`,
    "go.sum": read("go.sum"),
    "main.go": `package main\n\nimport _ "${sdk}/deploymentservice"\n\nfunc main() {}\n`,
  });
  // With the flags that the generators were built with: what they share is compiled already.
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" };
  const flags = ["-trimpath", "-tags=osusergo,grpcnotrace"];
  await promisify(execFile)("go", ["build", ...flags, "-o", "program", "."], { cwd: folder, env });
});

interface Exported {
  readonly deployment: { readonly resources: readonly Resource[] };
}
interface Resource {
  readonly type: string;
  readonly urn: string;
  readonly inputs: object;
  readonly outputs: object;
}

/** What the state has of the deployments, secrets in plain text, but for the provider's own fields and the time of day. */
async function resourcesOf(product: Product): Promise<object[]> {
  const { stdout } = await product.run(["stack", "export", "--show-secrets"]);
  const { resources } = (JSON.parse(stdout) as Exported).deployment;
  return resources
    .filter(({ type }) => type === "deployment-service:index:Deployment")
    .map(({ urn, inputs, outputs }) => {
      const same = Object.entries(outputs).filter(([name]) => !/^__|^(created|updated)At$/.test(name));
      return { urn, inputs, outputs: Object.fromEntries(same) };
    });
}
