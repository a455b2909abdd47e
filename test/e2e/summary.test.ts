import { describe, expect, it } from "vitest";
import { cli } from "../unit/cli/support";
import { program, useProduct } from "./support";

const template = { source: "internal_template" };
const image = (tag: string) => ({
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
});

function declare(deployments: Record<string, object>, more = "") {
  const lines = Object.entries(deployments).map(
    ([name, args]) => `new Deployment(${JSON.stringify(name)}, ${JSON.stringify(args)});`,
  );
  return program([...lines, more].join("\n"));
}
const first = {
  kept: template,
  rolled: { ...image("1"), secrets: { KEY: "s3cr3t-value-one" } },
  set: { ...template, sourceConfig: { buildOnPush: false } },
  swapped: image("1"),
  dropped: template,
  renamed: { ...template, name: "old-name" },
};

const box = `new pulumi.ComponentResource("shop:index:Box", "box");`;

describe("the summary of a preview", () => {
  const product = useProduct({ program: declare(first, box) });
  const summaryOf = async (args: string[], expectFailure = false) => {
    const { stdout } = await product.run(["preview", "--json", ...args], { expectFailure });
    return cli(["summary"], { stdin: stdout });
  };

  it("says what each deployment gets, and why, without a secret", async () => {
    await product.up();
    const { dropped: _, ...rest } = first;
    const next = {
      ...rest,
      rolled: { ...image("2"), secrets: { KEY: "s3cr3t-value-two", OTHER: "s3cr3t-value-three" } },
      set: { ...template, sourceConfig: { buildOnPush: true } },
      swapped: template,
      made: image("9"),
      renamed: { ...template, name: "new-name" },
    };
    const secret = `new Deployment("hidden", { ...${JSON.stringify(image("3"))}, sourceConfig: { customUrl: pulumi.secret("https://hidden.example.com/") } });`;
    product.stack.write(declare(next, `${box} pulumi.log.warn("careful"); ${secret}`));
    const { code, stdout, stderr } = await summaryOf([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatchInlineSnapshot(`
      "1 new revision, 1 settings change, 2 replacements, 2 creations, 1 deletion, 2 unchanged

      ⚠️

      \`\`\`text
      careful
      \`\`\`

      | Deployment | What happens | Why |
      | --- | --- | --- |
      | \`renamed\` | ⚠️ **replaced** | \`name\`: \`old-name\` → \`new-name\` |
      | \`swapped\` | ⚠️ **replaced** | \`source\`: \`external_container\` → \`internal_template\`<br>\`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:1\` removed |
      | \`dropped\` | deleted |  |
      | \`rolled\` | new revision | \`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:1\` → \`registry.example.com/chat:2\`<br>\`secrets\`: secret changed |
      | \`hidden\` | created | \`source\`: \`external_container\`<br>\`sourceConfig.customUrl\`: secret added<br>\`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:3\` |
      | \`made\` | created | \`source\`: \`external_container\`<br>\`sourceRevisionConfig.imageUri\`: \`registry.example.com/chat:9\` |
      | \`set\` | settings | \`sourceConfig.buildOnPush\`: \`false\` → \`true\` |
      "
    `);
    const { stdout: apart } = await summaryOf(["--show-sames", "--show-secrets"]);
    expect(apart.split("\n")[0]).toBe(
      "1 new revision, 1 settings change, 2 replacements, 2 creations, 1 deletion, 1 unchanged",
    );
    expect(apart).toContain("Other resources: 1 unchanged.\n");
    expect(apart).not.toMatch(/s3cr3t|hidden\.example/);
  });

  it("says why a preview failed", async () => {
    const references = { DB: { secretName: "db", secretKey: "url" } };
    product.stack.write(declare({ ...first, bad: { ...template, secretReferences: references } }));
    const { code, stdout } = await summaryOf([], true);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^the preview failed with 1 error/);
    expect(stdout).toContain("❌ `bad`\n\n```text\n");
    expect(stdout).toContain("only source external_container takes secret references");
  });
});
