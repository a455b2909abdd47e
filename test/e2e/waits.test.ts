/** What the user sees of waits, and how they end. */
import { describe, expect, it } from "vitest";
import { program, useProduct } from "../e2e/support";

describe("a service that goes on asking to slow down", () => {
  const args = JSON.stringify({
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  });
  const product = useProduct({
    program: program(`new Deployment("chat", ${args}, { customTimeouts: { create: "6s" } });`),
  });

  it("is waited for as long as the resource option says, which the screen tells, and is never sent a second one", async () => {
    const fault = product.emulator.fail({
      when: { method: "POST" },
      times: "always",
      how: { status: 429, retryAfter: "2" },
    });
    const began = Date.now();
    const { output, writes } = await product.up({ expectFailure: true });
    const text = output.replaceAll(/\s+/g, " ");
    expect(text).toMatch(/chat: the service asks to slow down \(429\): next try in 2s, of at most 6s/);
    expect(text).toMatch(
      /chat: create failed: POST \/v2\/deployments answered 429 Too Many Requests.*; no time is left for the next try in 2s: there were 6s in all \(the resource option `customTimeouts` gives more\)/,
    );
    expect(writes.length).toBeLessThanOrEqual(3);
    expect(Date.now() - began).toBeLessThan(60_000);
    fault.cancel();
    await product.up();
    expect(product.emulator.deployments()).toHaveLength(1);
  });
});
