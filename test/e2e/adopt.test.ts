import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

const args = {
  source: "external_container",
  sourceConfig: { resourceSpec: { maxScale: 3 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  adopt: true,
};

const byHand = (name: string, value: string) => ({
  name,
  source: "external_container",
  source_config: { resource_spec: { max_scale: 3 } },
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [{ name: "OLD", value }],
});

describe("adopting", () => {
  const product = useProduct({ program: declaring({}) });

  it("takes a deployment over without a write when nothing differs", async () => {
    const { id } = product.emulator.create(byHand("chat", "made-by-hand"));
    product.stack.write(declaring({ chat: args }));
    const { requests, screen } = await product.up();
    expect(requests).toEqual(["GET /v2/deployments 200"]);
    expect(screen).toContain("chat: adopts the existing deployment <id>; keeps its undeclared secrets OLD");
    expect(product.stack.resource("chat").id).toBe(id);
  });

  it("changes only what differs, and keeps the secrets that the program does not declare", async () => {
    const { id } = product.emulator.create(byHand("search", "kept-by-hand"));
    const wanted = { ...args, sourceConfig: { resourceSpec: { maxScale: 5 } }, secrets: { NEW: "declared" } };
    product.stack.write(declaring({ chat: args, search: wanted }));
    const { writes } = await product.up();
    expect(writes).toEqual([
      {
        method: "PATCH",
        body: {
          source_config: { resource_spec: { max_scale: 5 } },
          secrets: [
            { name: "NEW", value: "declared" },
            { name: "OLD", value: "kept-by-hand" },
          ],
        },
      },
    ]);
    expect(product.stack.resource("search").id).toBe(id);
    expect(product.stack.stateText()).not.toContain("kept-by-hand");
  });
});
