/** What a preview says of a deployment whose secrets are outputs of another one, which changes. */
import { describe, expect, it } from "vitest";
import { packagedProgram } from "./plugin-support";
import { program, useProduct } from "./support";

const container = (tag: number) => ({
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/x:${tag}` },
});
const code = (tag: number) => `
const billing = new Deployment("billing", ${JSON.stringify(container(tag))});
const id = billing.latestRevisionId;
const secrets = { AGENT_REVISION: id, TEXT: id.apply((text) => text + "!"), KEEP: "abc" };
new Deployment("agent", { ...${JSON.stringify(container(1))}, secrets });
`;
const reference = "${deployments.billing.latestRevisionId}";
const manifest = (tag: number) => ({
  "index.js": `require("pulumi-deployment-service").fromManifest("deployments.yaml");\n`,
  "deployments.yaml": JSON.stringify({
    version: 1,
    deployments: {
      billing: container(tag),
      agent: {
        ...container(1),
        secrets: { AGENT_REVISION: reference, TEXT: `at ${reference}`, KEEP: "abc" },
      },
    },
  }),
});

const follows = "follows billing.latestRevisionId, which is not known yet";

describe.each<[string, (tag: number) => Record<string, string>, string]>([
  [
    "a program",
    (tag) => program(code(tag)),
    `secrets.AGENT_REVISION ${follows}, secrets.TEXT follows billing, which is not known yet`,
  ],
  ["a manifest", manifest, `secrets.AGENT_REVISION ${follows}, secrets.TEXT ${follows}`],
  [
    "a program of the packaged provider",
    (tag) => packagedProgram(code(tag)),
    "secrets.AGENT_REVISION: not known yet, secrets.TEXT: not known yet",
  ],
])("in %s", (_, programOf, reasons) => {
  const product = useProduct({ program: programOf(1), emulator: { rollout: { polls: 0 } } });

  it("secrets that follow an output are not said to change, and leave nothing in the state", async () => {
    await product.up();
    product.stack.write(programOf(2));
    const { output } = await product.preview();
    expect(output).toContain(
      `agent: updates settings, no new revision (${reasons}); no update if the unknown values stay the same`,
    );
    await product.up();
    expect(product.stack.stateText()).not.toContain("follows");
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });
});
