import { describe, expect, it } from "vitest";
import { useProduct } from "./support";

describe("the first example", () => {
  const product = useProduct({
    program: "examples/01-hello",
    config: { "hello:modelApiKey": { secret: "sk-canary" } },
  });

  it("is previewed without a request", async () => {
    const text = await product.preview();
    expect(text.requests).toEqual([]);
    expect(text.screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
       +  pulumi-nodejs:dynamic/deployment-service:Deployment chat create
      Outputs:
          status: [unknown]
          url   : [unknown]
      Resources:
          + 2 to create"
    `);

    const diff = await product.preview({ diff: true });
    expect(diff.requests).toEqual([]);
    expect(diff.screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
          + pulumi-nodejs:dynamic/deployment-service:Deployment: (create)
              generation          : 1
              name                : "chat"
              secrets             : [secret]
              source              : "external_container"
              sourceConfig        : {
                  resourceSpec: {
                      cpu     : 0.5
                      maxScale: 3
                      memoryMb: 1024
                      minScale: 1
                  }
              }
              sourceRevisionConfig: {
                  imageUri: "registry.example.com/chat:1.4.2"
              }
          --outputs:--
          status: [unknown]
          url   : [unknown]
      Resources:
          + 2 to create"
    `);
  });

  it("is created by one request that holds what is declared, and nothing else (A03)", async () => {
    const { writes, screen, requests } = await product.up();
    expect(writes).toEqual([
      {
        method: "POST",
        body: {
          name: "chat",
          source: "external_container",
          source_config: { resource_spec: { min_scale: 1, max_scale: 3, cpu: 0.5, memory_mb: 1024 } },
          source_revision_config: { image_uri: "registry.example.com/chat:1.4.2" },
          secrets: [{ name: "MODEL_API_KEY", value: "sk-canary" }],
        },
      },
    ]);
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       +  pulumi-nodejs:dynamic/deployment-service:Deployment chat created
      Outputs:
          status: "READY"
          url   : "https://chat-<hash>.apps.example.com"
      Resources:
          + 2 created"
    `);
  });

  it("is not touched by a second preview and a second up (A03, B09)", async () => {
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });

  it("is refreshed by one request, which finds nothing (A18)", async () => {
    const { requests } = await product.refresh({ args: ["--expect-no-changes"] });
    expect(requests).toEqual(["GET /v2/deployments 200"]);
  });

  it("is destroyed, and nothing is left", async () => {
    const { writes, screen } = await product.destroy();
    expect(writes).toEqual([{ method: "DELETE" }]);
    expect(product.emulator.deployments()).toEqual([]);
    expect(product.stack.state().resources).toEqual([]);
    expect(screen).toMatchInlineSnapshot(`
      "Destroying (dev):
       -  pulumi-nodejs:dynamic/deployment-service:Deployment chat deleted
      Resources:
          - 2 deleted"
    `);
  });
});
