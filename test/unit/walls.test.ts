import { resolve } from "node:path";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const eslint = new ESLint({ cwd: root });

/** What lint says of an import in a file of a room. */
async function wallsHit(file: string, module: string): Promise<string[]> {
  const [result] = await eslint.lintText(`import "${module}";\n`, { filePath: resolve(root, file) });
  const hits = result!.messages.filter(({ ruleId }) => ruleId === "no-restricted-imports");
  return hits.map(({ message }) => message);
}

describe("the walls between the rooms", { timeout: 60_000 }, () => {
  it.each([
    ["schema/fields.ts", "undici"],
    ["schema/fields.ts", "../provider/settings"],
    ["provider/deployment/plan.ts", "@pulumi/pulumi"],
    ["provider/deployment/plan.ts", "../control-plane/http"],
    ["provider/dialects/standard.ts", "undici"],
    ["provider/control-plane/client.ts", "@pulumi/pulumi"],
    ["provider/manifest/check.ts", "@pulumi/pulumi"],
    ["provider/manifest/check.ts", "../control-plane/client"],
    ["provider/cli/list.ts", "@pulumi/pulumi"],
    ["provider/import/plan.ts", "@pulumi/pulumi"],
    ["provider/settings.ts", "@pulumi/pulumi"],
    ["emulator/emulator.ts", "../provider/settings"],
    ["emulator/emulator.ts", "../schema/fields"],
    ["emulator/emulator.ts", "@pulumi/pulumi"],
    ["emulator/rules/standard.ts", "yaml"],
    ["provider/settings.ts", "../emulator"],
    ["provider/cli/list.ts", "../../emulator"],
    ["provider/cli/emulator.ts", "@pulumi/pulumi"],
    ["provider/pulumi/deployment.ts", "../../emulator/rules/standard"],
    ["schema/fields.ts", "../emulator/rules/fields"],
  ])("keep %s from importing %s", async (file, module) => {
    expect(await wallsHit(file, module)).toHaveLength(1);
  });

  it.each([
    ["schema/fields.ts", "zod"],
    ["provider/pulumi/deployment.ts", "@pulumi/pulumi"],
    ["provider/control-plane/http.ts", "undici"],
    ["provider/manifest/read.ts", "yaml"],
    ["provider/cli/emulator.ts", "../../emulator"],
    ["emulator/state/ids.ts", "node:crypto"],
  ])("let %s import %s", async (file, module) => {
    expect(await wallsHit(file, module)).toEqual([]);
  });
});
