import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

const args = {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
};

describe("creating", () => {
  const product = useProduct({ program: declaring({}) });

  it("makes one deployment when the connection is lost after the work was done (A20)", async () => {
    product.emulator.fail({ when: { method: "POST" }, how: { reset: "after" } });
    product.stack.write(declaring({ chat: args }));
    const { requests } = await product.up();
    expect(requests.slice(0, 2)).toEqual(["POST /v2/deployments reset", "GET /v2/deployments 200"]);
    expect(product.emulator.deployments()).toHaveLength(1);
    expect(product.stack.resource("chat").id).toBe(product.emulator.deployment("chat")?.id);
  });

  it("is tried again when the service failed before the work", async () => {
    product.emulator.fail({ when: { method: "POST" }, how: { status: 500 } });
    product.stack.write(declaring({ chat: args, search: args }));
    const { requests } = await product.up();
    expect(requests.slice(0, 3)).toEqual([
      "POST /v2/deployments 500",
      "GET /v2/deployments 200",
      "POST /v2/deployments 201",
    ]);
    expect(product.emulator.deployments()).toHaveLength(2);
  });

  it("says what to type when somebody else's deployment has the name (H16)", async () => {
    const body = {
      name: "translate",
      source: "external_container",
      source_config: {},
      source_revision_config: { image_uri: "registry.example.com/other:1" },
      secrets: [],
    };
    product.emulator.create(body);
    product.stack.write(declaring({ chat: args, search: args, translate: args }));
    const { screen, writes } = await product.up({ expectFailure: true });
    expect(writes.map(({ method }) => method)).toEqual(["POST"]);
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       +  pulumi-nodejs:dynamic/deployment-service:Deployment translate **creating failed**
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (translate):
          error: translate: create failed: POST /v2/deployments answered 409 Conflict: A deployment named 'translate' already exists (request id <id>). If the resource was renamed in the program, set the resource option \`aliases\`. To take over the existing deployment (an interrupted \`pulumi up\` may have made it), set \`adopt: true\` or import it with \`deployment-service import\`. Otherwise choose another name. If \`--replace\` or \`state taint\` replaces this resource, set the resource option \`deleteBeforeReplace: true\`."
    `);
    expect(() => product.stack.resource("translate")).toThrow();
  });
});
