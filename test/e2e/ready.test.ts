/** A deployment that is rolled out and does not answer, on the real engine. */
import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

const args = (tag: string, ready: object) => ({
  source: "external_container",
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
  ready,
});
const impatient = { path: "/ok", timeout: "1s" };

describe("a deployment that does not answer", () => {
  const chat = (tag: string, ready: object = impatient) => declaring({ chat: args(tag, ready) });
  const product = useProduct({ program: chat("1"), emulator: { apps: true } });
  const busy = () =>
    product.emulator.fail({
      when: { path: "/_apps/chat" },
      times: "always",
      how: { status: 503, body: "no" },
    });
  const mark = () => (product.stack.resource("chat").outputs?.["__private"] as { rollout?: unknown }).rollout;

  it("fails its creation, is in the state, and stays red until it answers: nothing is sent again", async () => {
    const fault = busy();
    const { writes, output } = await product.up({ expectFailure: true });
    expect(writes.map(({ method }) => method)).toEqual(["POST"]);
    const text = output.replaceAll(/\s+/g, " ");
    expect(text).toContain(
      `chat: create failed: ${product.emulator.url}/_apps/chat/ok did not answer 200 within 1s: the last answer was 503. ` +
        "The deployment exists and its revision is active: the next `pulumi up` checks it again, without a new revision. " +
        "For more time, raise `ready.timeout`.",
    );
    expect(product.stack.resource("chat").id).toBe(product.emulator.deployment("chat")!.id);

    await product.refresh();
    expect(product.stack.resource("chat").initErrors ?? []).toEqual([]);
    expect(mark()).toBeDefined();
    const again = await product.up({ expectFailure: true });
    expect(again.writes).toEqual([]);
    expect(again.output.replaceAll(/\s+/g, " ")).toContain("update failed: ");

    fault.cancel();
    const { writes: none, requests } = await product.up();
    expect(none).toEqual([]);
    expect(requests).toContain("GET /_apps/chat/ok 200");
    expect(mark()).toBeUndefined();
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });
});
