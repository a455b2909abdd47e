import { describe, expect, it } from "vitest";
import { cli } from "../unit/cli/support";
import { declaring, useProduct } from "./support";

const template = { source: "internal_template" };
const image = (tag: string) => ({
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
});

const repository = (buildOnPush: boolean) => ({
  source: "codehost",
  sourceConfig: { repoUrl: "https://code.example.com/acme/chat", buildOnPush },
});

const first = {
  kept: template,
  rolled: { ...image("1"), secrets: { KEY: "s3cr3t-value-one", GONE: "s3cr3t-value-two" } },
  set: repository(false),
  swapped: image("1"),
  dropped: template,
  renamed: { ...template, name: "old-name" },
};

const retained = `new Deployment("retained", ${JSON.stringify(template)}, { retainOnDelete: true });`;
const box = `new pulumi.ComponentResource("shop:index:Box", "box");`;

describe("the summary of a preview", () => {
  const product = useProduct({ program: declaring(first, box + retained) });
  const summaryOf = async (args: string[], expectFailure = false) => {
    const { stdout } = await product.run(["preview", "--json", ...args], { expectFailure });
    return cli(["summary"], { stdin: stdout });
  };

  it("says what each deployment gets, and why, without a secret", async () => {
    await product.up();
    const { dropped: _, ...rest } = first;
    const next = {
      ...rest,
      rolled: { ...image("2"), secrets: { KEY: "s3cr3t-value-new", OTHER: "s3cr3t-value-three" } },
      set: repository(true),
      swapped: template,
      made: image("9"),
      renamed: { ...template, name: "new-name" },
    };
    const secret = `new Deployment("hidden", { ...${JSON.stringify(image("3"))}, sourceConfig: { customUrl: pulumi.secret("https://hidden.example.com/") } });`;
    product.stack.write(declaring(next, `${box} pulumi.log.warn("careful"); ${secret}`));
    const { code, stdout, stderr } = await summaryOf([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "TIME")).toMatchInlineSnapshot(`
      "1 deletion, 2 replacements, 1 no longer managed, 1 new revision, 1 settings change, 2 creations, 2 unchanged

      \`program/dev, TIME UTC\`

      ⚠️ warning

      \`\`\`text
      careful
      \`\`\`

      | Deployment | What happens | Why |
      | --- | --- | --- |
      | \`dropped\` | 🗑️ **deleted** | to keep it running, first set \`retainOnDelete\` and run \`pulumi up\` |
      | \`renamed\` | ⚠️ **replaced** | \`name\`: \`old-name\` → \`new-name\`<br>\`replaces the deployment (name); its id changes, and usually its address; its data is not carried over\` |
      | \`swapped\` | ⚠️ **replaced**, is down while it is replaced | **\`source\`**: \`external_container\` → \`internal_template\`<br>\`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:1\` removed<br>\`replaces the deployment (source); also changes sourceRevisionConfig.imageUri; its id changes, and usually its address; its data is not carried over\` |
      | \`retained\` | no longer managed, keeps running |  |
      | \`rolled\` | new revision | \`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:1\` → \`registry.example.com/chat:2\`<br>\`secrets.GONE\`: secret removed<br>\`secrets.KEY\`: secret changed<br>\`secrets.OTHER\`: secret added<br>\`creates a new revision (sourceRevisionConfig.imageUri); also changes secrets: +OTHER, -GONE, ~KEY\` |
      | \`set\` | settings | \`sourceConfig.buildOnPush\`: \`false\` → \`true\`<br>\`updates settings, no new revision (sourceConfig.buildOnPush)\` |
      | \`hidden\` | created | \`source\`: \`external_container\`<br>\`sourceConfig.customUrl\`: secret added<br>\`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:3\` |
      | \`made\` | created | \`source\`: \`external_container\`<br>\`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:9\` |
      "
    `);
    const { stdout: apart } = await summaryOf(["--show-sames", "--show-secrets"]);
    expect(apart.split("\n")[0]).toBe(
      "1 deletion, 2 replacements, 1 no longer managed, 1 new revision, 1 settings change, 2 creations, 1 unchanged",
    );
    expect(apart).toContain("Other resources: 1 unchanged.\n");
    expect(apart).not.toMatch(/s3cr3t|hidden\.example/);
  });

  it("shows what was changed by hand, from either kind of refresh", async () => {
    product.stack.write(declaring({ ...first, swapped: image("2") }, box + retained));
    product.emulator.change("swapped", ({ source_revision_config }) => {
      source_revision_config["image_uri"] = "registry.example.com/chat:by-hand";
    });
    product.emulator.change("rolled", ({ secrets }) => {
      secrets[0]!.value = "s3cr3t-value-by-hand";
    });
    const row =
      "| `swapped` | `sourceRevisionConfig.imageUri`: `registry.example.com/chat:1` → `registry.example.com/chat:by-hand` |";
    const { stdout } = await summaryOf(["--refresh"]);
    expect(stdout.split("\n")[0]).toMatch(
      /^2 changed by hand, 1 new revision, 1 settings change, \d+ unchanged$/,
    );
    expect(stdout).toContain(row);
    expect(stdout).toContain("| `rolled` | `secrets.GONE`: `secret changed, by hand or in the program` |");
    expect(stdout).not.toContain("deleted");
    const { stdout: json } = await product.run(["refresh", "--preview-only", "--json"]);
    const refreshed = await cli(["summary", "--expect-no-drift"], { stdin: json });
    expect(refreshed.stdout.split("\n")[0]).toBe("2 changed by hand, 5 unchanged");
    expect(refreshed.stdout).toContain(row);
    expect(refreshed.stdout).toContain("| `rolled` | `secrets.GONE`: secret changed |");
    expect(stdout + refreshed.stdout).not.toContain("s3cr3t");
    expect(refreshed.code).toBe(1);
    const withProgram = await product.run(["refresh", "--preview-only", "--json", "--run-program"]);
    expect(await cli(["summary", "--expect-no-drift"], { stdin: withProgram.stdout })).toEqual(refreshed);
  });

  it("shows what was deleted by hand and then in the program, which plans nothing for it", async () => {
    const { set: _, ...rest } = first;
    product.stack.write(declaring(first, box + retained));
    await product.refresh();
    await product.up();
    const judge = async (...args: string[]) => {
      const { stdout: json } = await product.run(["preview", "--json", "--refresh", ...args]);
      const { stdout, code } = await cli(["summary", "--expect-no-drift"], { stdin: json });
      return [stdout.split("\n")[0], code];
    };
    expect(await judge()).toEqual(["8 unchanged", 0]);
    expect(await judge("--show-sames")).toEqual(["7 unchanged", 0]);
    product.stack.write(declaring(rest, box + retained));
    product.emulator.remove("set");
    expect(await judge()).toEqual(["1 unexplained change, 7 unchanged", 1]);
    expect(await judge("--show-sames")).toEqual(["1 deleted by hand, 6 unchanged", 1]);
  });
});
