/** The samples of the documents, in every language that can be had here: previewed, compiled, or held against the SDK. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify, parse } from "yaml";
import { read } from "../docs/documents";
import { fencesIn } from "../docs/markdown";
import { writeFiles } from "../engine/program";
import { sdks } from "./folders";
import { linkSdk, useLanguage, yamlHead } from "./support";

const root = resolve(__dirname, "../..");
const pages = ["docs/registry/_index.md", "docs/packaged-provider.md"];
const registry = "docs/registry/_index.md";

const samplesOf = (page: string, language: string) =>
  fencesIn(read(page)).flatMap((fence) => (fence.language === language ? [fence.text] : []));
const only = (page: string, language: string) => {
  const samples = samplesOf(page, language);
  expect(samples).toHaveLength(1);
  return samples[0]!;
};

/** With the project's own head, which says where the provider is. */
function project(sample: string): string {
  const { config, resources, outputs } = parse(sample) as Record<string, object>;
  return `${yamlHead()}\n${stringify({ config, resources, outputs })}`;
}

describe.each(pages)("%s", (page) => {
  const python = useLanguage("python");
  const yaml = useLanguage("yaml");

  it("has a sample in Python that can be previewed", async () => {
    python.stack.write({ "__main__.py": only(page, "python") });
    expect((await python.preview()).output).toContain("2 to create");
  });

  it("has a sample in Pulumi YAML that can be previewed", async () => {
    yaml.stack.write({ "Pulumi.yaml": project(only(page, "yaml")) });
    expect((await yaml.preview()).output).toContain("2 to create");
  });
});

describe("what is compiled", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(root, ".cache", "samples-"));
    linkSdk(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: string, args: string[], cwd: string) =>
    promisify(execFile)(command, args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" },
    });

  it("is the program in TypeScript, of the registry's page and of the example", async () => {
    cpSync(join(root, "examples/07-every-language/nodejs"), folder, { recursive: true });
    const sample = only(registry, "typescript");
    writeFiles(folder, {
      "sample.ts": sample,
      "misspelt.ts": sample.replace("minScale", "minScael"),
      "all.json": JSON.stringify({
        extends: "./tsconfig.json",
        files: ["index.ts", "sample.ts", "misspelt.ts"],
      }),
    });
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const compiled = run(process.execPath, [tsc, "-p", "all.json", "--pretty", "false"], folder);
    const { stdout } = await compiled.catch((error: { stdout: string }) => error);
    expect(stdout.match(/^\S+\.ts(?=\()/gm)).toEqual(["misspelt.ts"]);
    expect(stdout).toContain("minScael");
  });

  it("is the program in Go, with the SDK at its side", async () => {
    const module = "github.com/agentdeployments/pulumi-deployment-service/sdk/go";
    const ofCodegen = readFileSync(join(root, "test/languages/modules/codegen/go.mod"), "utf8");
    const [go] = /^go .+$/m.exec(ofCodegen)!;
    const { version } = /pulumi\/sdk\/v3 (?<version>v\S+)/.exec(ofCodegen)!.groups as { version: string };
    const goMod = [
      "module sample",
      go,
      `require ${module} v0.0.0`,
      `require github.com/pulumi/pulumi/sdk/v3 ${version}`,
      `replace ${module} => ${join(sdks, "go")}`,
    ];
    writeFiles(join(folder, "go"), { "main.go": only(registry, "go"), "go.mod": `${goMod.join("\n")}\n` });
    cpSync(join(root, "test/languages/modules/codegen/go.sum"), join(folder, "go", "go.sum"));
    // With the flags that the generators were built with: what they share is compiled already.
    await run("go", ["vet", "-trimpath", "-tags=osusergo,grpcnotrace", "."], join(folder, "go"));
  });
});

describe("the sample in C#", () => {
  it("sets only what the SDK has, on what has it", () => {
    const sample = only(registry, "csharp");
    const files = ["", "Inputs"].flatMap((folder) =>
      readdirSync(join(sdks, "dotnet", folder), { withFileTypes: true }).flatMap((entry) =>
        entry.isFile() && entry.name.endsWith(".cs") ? [join(sdks, "dotnet", folder, entry.name)] : [],
      ),
    );
    const code = files.map((file) => readFileSync(file, "utf8")).join("\n");
    const classes = [...sample.matchAll(/new Service\.(?:Inputs\.)?(\w+)/g)].map(([, name]) => name!);
    expect(classes).toEqual([
      "Deployment",
      "SourceConfigArgs",
      "ResourceSpecArgs",
      "SourceRevisionConfigArgs",
    ]);
    for (const name of classes)
      expect(code).toMatch(new RegExp(`partial class ${name}|sealed class ${name}`));
    const properties = [...sample.matchAll(/^ +([A-Z]\w+) =/gm)].map(([, name]) => name!);
    expect(properties.length).toBeGreaterThan(5);
    for (const name of properties) expect(code).toMatch(new RegExp(`public \\S+ ${name}\\b`));
  });
});
