import { resolve } from "node:path";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const rule = /(^|\/)no-restricted-imports$/;
/** Of the rules only this one, and without types, which would be read for a minute. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  ruleFilter: ({ ruleId }) => rule.test(ruleId),
});

/** What lint says of imports in a file of a layer. */
async function refusals(file: string, module: string): Promise<string[]> {
  const [result] = await eslint.lintText(`import "${module}";\n`, { filePath: resolve(root, file) });
  const refused = result!.messages.filter(({ ruleId }) => rule.test(ruleId ?? ""));
  return refused.map(({ message }) => message);
}

describe("the boundaries between the layers", { timeout: 60_000 }, () => {
  it.each([
    ["schema/fields.ts", "undici"],
    ["schema/fields.ts", "node:fs"],
    ["schema/fields.ts", "../provider/settings"],
    ["schema/fields.ts", "../emulator/rules/fields"],
    ["provider/values.ts", "./deployment/state"],
    ["provider/errors.ts", "./control-plane/response"],
    ["provider/settings.ts", "@pulumi/pulumi"],
    ["provider/settings.ts", "../emulator"],
    ["provider/text/redact.ts", "../deployment/state"],
    ["provider/dialects/standard.ts", "undici"],
    ["provider/dialects/standard.ts", "../deployment/plan"],
    ["provider/deployment/plan.ts", "@pulumi/pulumi"],
    ["provider/deployment/plan.ts", "../control-plane/http"],
    ["provider/deployment/plan.ts", "../pulumi/failure"],
    ["provider/control-plane/client.ts", "@pulumi/pulumi"],
    ["provider/control-plane/client.ts", "../deployment/wait"],
    ["provider/control-plane/client.ts", "../manifest/read"],
    ["provider/archive/folder.ts", "../deployment/plan"],
    ["provider/archive/folder.ts", "../control-plane/http"],
    ["provider/deployment/upload.ts", "../archive/folder"],
    ["provider/manifest/check.ts", "@pulumi/pulumi"],
    ["provider/manifest/check.ts", "../control-plane/client"],
    ["provider/manifest/generate/code.ts", "../../deployment/state"],
    ["provider/import/plan.ts", "@pulumi/pulumi"],
    ["provider/import/plan.ts", "../pulumi/marshal"],
    ["provider/summary/summary.ts", "../cli/table"],
    ["provider/cli/list.ts", "@pulumi/pulumi"],
    ["provider/cli/list.ts", "../pulumi/deployment"],
    ["provider/cli/list.ts", "../../emulator"],
    ["provider/cli/emulator.ts", "@pulumi/pulumi"],
    ["provider/pulumi/deployment.ts", "../cli/files"],
    ["provider/pulumi/deployment.ts", "../import/plan"],
    ["provider/pulumi/deployment.ts", "../../emulator/rules/standard"],
    ["provider/pulumi/deployment.ts", "../control-plane/http"],
    ["provider/pulumi/functions.ts", "../../schema/filters"],
    ["provider/index.ts", "./manifest/check"],
    ["provider/pulumi/dynamic.ts", "../plugin/marshal"],
    ["provider/plugin/resources.ts", "../cli/files"],
    ["provider/plugin/resources.ts", "yaml"],
    ["emulator/emulator.ts", "../provider/settings"],
    ["emulator/emulator.ts", "../schema/fields"],
    ["emulator/emulator.ts", "@pulumi/pulumi"],
    ["emulator/rules/standard.ts", "yaml"],
  ])("keep %s from importing %s", async (file, module) => {
    expect(await refusals(file, module)).toHaveLength(1);
  });

  it.each([
    ["schema/fields.ts", "zod"],
    ["provider/settings.ts", "./dialects"],
    ["provider/deployment/check.ts", "../dialects/service-rules"],
    ["provider/control-plane/client.ts", "../deployment/service"],
    ["provider/control-plane/http.ts", "undici"],
    ["provider/manifest/read.ts", "yaml"],
    ["provider/archive/folder.ts", "../deployment/service"],
    ["provider/archive/ignore-rules.ts", "ignore"],
    ["provider/pulumi/deployment.ts", "@pulumi/pulumi"],
    ["provider/pulumi/sdk.ts", "@pulumi/pulumi/proto/provider_pb"],
    ["provider/plugin/resources.ts", "../pulumi/operations"],
    ["provider/cli/emulator.ts", "../../emulator"],
    ["emulator/state/ids.ts", "node:crypto"],
  ])("let %s import %s", async (file, module) => {
    expect(await refusals(file, module)).toEqual([]);
  });
});
