/** A live deployment is never lost by a rename, a wrong setting or another connection. */
import { describe, expect, it } from "vitest";
import { declaring, program, useProduct } from "./support";

const chat = {
  name: "chat",
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
};
const adopted = { ...chat, adopt: true };

describe("a deployment that a new resource adopts", () => {
  const product = useProduct({ program: declaring({ old: chat }) });

  it("is not deleted with the old resource", async () => {
    await product.up();
    product.stack.write(declaring({ new: adopted }));
    const { screen, writes } = await product.up();
    expect(writes).toEqual([]);
    expect(screen).toContain(
      `old (chat): the deployment <id> is not deleted, because it now belongs to the resource "new". Only the old resource is ` +
        "removed from the state",
    );
  });
});

describe("a deployment that is only read", () => {
  const product = useProduct({ program: declaring({}) });

  it("must exist, and its id can be in upper or lower case", async () => {
    const id = "6f0e6c1a-0000-4000-8000-00000000000a";
    const get = (wanted: string) =>
      program(`module.exports = { status: Deployment.get("found", "${wanted}").status };`);
    product.stack.write(get(id));
    const { screen } = await product.up({ expectFailure: true });
    expect(screen).toContain("the service has no deployment with the id");
    const made = product.emulator.create({
      name: "found",
      source: "external_container",
      source_config: {},
      source_revision_config: { image_uri: "registry.example.com/chat:1" },
      secrets: [],
    });
    product.stack.write(get(made.id.toUpperCase()));
    expect((await product.up()).screen).toContain("READY");
  });
});
