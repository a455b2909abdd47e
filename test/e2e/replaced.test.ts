/** Replacements that end badly: what lives stays until what takes its place does. */
import { describe, expect, it } from "vitest";
import { declaring, program, useProduct } from "./support";

const chat = declaring({
  chat: {
    name: "chat",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  },
});

const renamed = program(`
  new Deployment("chat", {
    name: "talk",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  }, { customTimeouts: { create: "1s", update: "1s" } });`);

describe("a replacement whose rollout does not end", () => {
  const product = useProduct({ program: chat });

  it("keeps what it replaces in every run, until it is ready", async () => {
    await product.up();
    product.emulator.configure({ rollout: "never" });
    product.stack.write(renamed);
    const args = ["--continue-on-error"];
    await product.up({ expectFailure: true, args });
    await product.up({ expectFailure: true, args });
    expect(product.emulator.deployment("chat")?.status).toBe("READY");
    product.emulator.configure({ rollout: { polls: 0 } });
    product.emulator.finish("talk");
    await product.up();
    expect(product.emulator.deployments().map(({ name }) => name)).toEqual(["talk"]);
  });
});
