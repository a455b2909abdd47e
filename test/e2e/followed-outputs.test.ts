/** What a preview says of a deployment whose secrets are outputs of another one, which changes. */
import { expect, it } from "vitest";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const container = (tag: number) => ({
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/x:${tag}` },
});
const reference = "${deployments.billing.latestRevisionId}";

/** A billing service and an agent that follows it, with either provider and in a manifest. */
const declaring = (tag: number) => ({
  ...programOfBoth(`
for (const [name, { Deployment }] of Object.entries({ dynamic, packaged })) {
  const billing = new Deployment(name + "-billing", ${JSON.stringify(container(tag))});
  const id = billing.latestRevisionId;
  const secrets = { AGENT_REVISION: id, TEXT: id.apply((text) => text + "!"), KEEP: "abc" };
  new Deployment(name + "-agent", { ...${JSON.stringify(container(1))}, secrets });
}
dynamic.fromManifest("deployments.yaml");`),
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

const follows = (name: string) => `follows ${name}.latestRevisionId, which is not known yet`;
const reasons = {
  agent: `secrets.AGENT_REVISION ${follows("billing")}, secrets.TEXT ${follows("billing")}`,
  "dynamic-agent": `secrets.AGENT_REVISION ${follows("dynamic-billing")}, secrets.TEXT follows dynamic-billing, which is not known yet`,
  "packaged-agent": "secrets.AGENT_REVISION: not known yet, secrets.TEXT: not known yet",
};
const product = useProduct({ program: declaring(1), emulator: { rollout: { polls: 0 } } });

it("secrets that follow an output are not said to change, and leave nothing in the state", async () => {
  await product.up();
  product.stack.write(declaring(2));
  const { output } = await product.preview();
  for (const [name, reason] of Object.entries(reasons))
    expect(output).toContain(
      `${name}: updates settings, no new revision (${reason}); no update if the unknown values stay the same`,
    );
  await product.up();
  expect(product.stack.stateText()).not.toContain("follows");
  expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
});
