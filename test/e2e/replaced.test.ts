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

const replacing = program(`
  new Deployment("chat", {
    name: "chat",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" },
  }, { replaceOnChanges: ["sourceRevisionConfig"], deleteBeforeReplace: false });`);

const renamed = program(`
  new Deployment("chat", {
    name: "talk",
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  }, { customTimeouts: { create: "1s", update: "1s" } });`);

describe("a replacement by an option of the program", () => {
  const product = useProduct({
    program: chat,
    emulator: { otherTenants: { "key-two": "00000000-0000-4000-8000-00000000000b" } },
  });

  it("with a key of another tenant creates nothing, and keeps what is there", async () => {
    await product.up();
    const { id } = product.stack.resource("chat");
    product.stack.write(replacing);
    const env = { DEPLOYMENT_SERVICE_API_KEY: "key-two" };
    const { output, writes } = await product.up({ env, expectFailure: true });
    expect(output).toContain("and it is not the key that created the deployment: nothing was changed");
    expect(writes).toEqual([]);
    expect(product.stack.resource("chat").id).toBe(id);
  });
});

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
