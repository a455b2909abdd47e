/** Recipes for what no test here can start: policy packs, and Pulumi's service for configuration. */
import type { ResourceValidationPolicy } from "@pulumi/policy";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingsTable } from "../../provider/settings/table";
import { read } from "./documents";
import { fencesIn } from "./markdown";

const digest = `registry.example.com/chat@sha256:${"0f".repeat(32)}`;
const limited = { maxScale: 3, memoryLimitMb: 512 };
const dynamic = "pulumi-nodejs:dynamic/deployment-service:Deployment";
const packaged = "deployment-service:index:Deployment";

const deployment = (imageUri: string | undefined, resourceSpec?: object) => ({
  sourceConfig: { resourceSpec },
  sourceRevisionConfig: { imageUri },
});

describe("the policy pack", () => {
  const [pack] = fencesIn(read("docs/recipes/policy.md")).filter(({ language }) => language === "ts");
  const policies = policiesOf(pack!.text);

  it.each([
    ["an image by digest, with limits", dynamic, deployment(digest, limited), []],
    ["a tag", dynamic, deployment("registry.example.com/chat:1", limited), ["image-by-digest"]],
    ["a tag, packaged", packaged, deployment("registry.example.com/chat:1", limited), ["image-by-digest"]],
    ["no limits", packaged, deployment(digest), ["limits", "limits"]],
    ["too large a scale", dynamic, deployment(digest, { ...limited, maxScale: 11 }), ["limits"]],
    ["a repository", dynamic, { sourceConfig: { resourceSpec: limited } }, []],
    ["another resource", "aws:s3/bucket:Bucket", {}, []],
  ])("judges %s", (_, type, props, expected) => {
    const violated: string[] = [];
    for (const { name, validateResource } of policies)
      void validateResource({ type, props }, () => violated.push(name));
    expect(violated).toEqual(expected);
  });
});

describe("the ESC environment", () => {
  it("sets only settings that there are, and refers only to what it holds", () => {
    const [text] = fencesIn(read("docs/recipes/esc.md"))
      .filter(({ language }) => language === "yaml")
      .map(({ text }) => text)
      .filter((each) => each.startsWith("values:"));
    const { values } = parse(text!) as { values: Record<string, Record<string, string>> };
    const settings = Object.keys(values["pulumiConfig"]!).filter((key) =>
      key.startsWith("deployment-service:"),
    );
    expect(settings.length).toBeGreaterThan(0);
    for (const key of settings) expect(settingsTable).toHaveProperty(key.split(":")[1]!);
    const variables = Object.values(settingsTable).map(({ env }) => env);
    expect(variables).toEqual(expect.arrayContaining(Object.keys(values["environmentVariables"]!)));
    const references = [...text!.matchAll(/\$\{(\w+)\.(\w+)/g)].map(([, ...path]) => path);
    expect(references.length).toBeGreaterThan(0);
    for (const path of references) expect(values).toHaveProperty(path);
  });
});

/** Runs the pack with a stand-in for the module that hands its policies to the engine. */
function policiesOf(program: string): readonly ResourceValidationPolicy[] {
  const found: ResourceValidationPolicy[] = [];
  class PolicyPack {
    constructor(_: string, args: { policies: ResourceValidationPolicy[] }) {
      found.push(...args.policies);
    }
  }
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  new Function("require", "exports", outputText)(() => ({ PolicyPack }), {});
  return found;
}
