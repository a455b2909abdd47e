import { expect, it } from "vitest";
import { program, useProduct } from "./support";

const deployment = (triggers: string) =>
  program(`
class Version { constructor(text) { this.text = text; } }
new Deployment("chat", { source: "internal_template", triggers: ${triggers} });
`);
const product = useProduct({ program: deployment("1"), emulator: { rollout: { polls: 0 } } });

it.each([
  "pulumi.output(1).apply(() => ({ at: new Date() }))",
  "[Promise.resolve(new URL('https://x.example.com'))]",
  "[pulumi.output({ at: [new Date()] })]",
  "pulumi.secret(1).apply(() => [Promise.resolve({ deep: new Version('1') })])",
])("triggers that the SDK would lose are refused although they come later: %s", async (triggers) => {
  product.stack.write(deployment(triggers));
  const { output, writes } = await product.up({ expectFailure: true });
  expect(output).toContain("chat: triggers must be JSON values: convert this one to a string");
  expect(writes).toEqual([]);
});

it("triggers that come later are sent, and leave the next preview empty", async () => {
  product.stack.write(
    deployment(
      "[{}, pulumi.output({ a: [1, null] }), Promise.resolve('b'), new pulumi.asset.StringAsset('c')]",
    ),
  );
  await product.up();
  await product.preview({ args: ["--expect-no-changes"] });
});
