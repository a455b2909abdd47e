import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

describe("a deployment", () => {
  let args: Record<string, unknown> = {
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 0.5, cpuLimit: 1, labels: { "team.example.com/Name": "a_b" } } },
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1", graphConfigPath: "graph.json" },
    secrets: { KEY: "k-1", TOKEN: "t-1" },
    secretReferences: { DB_URL: { secretName: "chat-db", secretKey: "url" } },
  };
  const product = useProduct({ program: declaring({ chat: args }) });
  /** `undefined` takes an argument away. */
  const declare = (change: Record<string, unknown>) => {
    args = { ...args, ...change };
    product.stack.write(declaring({ chat: args }));
  };
  const revisions = () => product.emulator.deployment("chat")?.revisions.length;

  it("gets a revision by a new image, and the preview says so (C02)", async () => {
    await product.up();
    declare({
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:2", graphConfigPath: "graph.json" },
    });

    const preview = await product.preview();
    expect(preview.requests).toEqual([]);
    expect(preview.screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment chat update [diff: ~generation,sourceRevisionConfig]; chat: creates a new revision (sourceRevisionConfig.imageUri)
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (chat):
          warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          chat: creates a new revision (sourceRevisionConfig.imageUri)
      Resources:
          ~ 1 to update
          1 unchanged"
    `);
    const { writes, requests } = await product.up();
    const body = { source_revision_config: { image_uri: "registry.example.com/chat:2" } };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(requests).toContain("GET /v2/deployments 200");
    expect(revisions()).toBe(2);
    expect(product.stack.resource("chat").outputs).toMatchObject({
      generation: 2,
      activeRevisionId: product.emulator.deployment("chat")?.latest_revision_id,
    });
  });

  it("gets no revision by other settings, and nothing is waited for (B01)", async () => {
    declare({
      sourceConfig: {
        buildOnPush: true,
        resourceSpec: { cpu: 2, cpuLimit: 4, labels: { "team.example.com/Name": "a_b" } },
      },
    });
    const { screen, writes, requests } = await product.up({ diff: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
      chat: updates settings, no new revision (sourceConfig.buildOnPush, sourceConfig.resourceSpec.cpu, sourceConfig.resourceSpec.cpuLimit)
      warning: chat: sourceConfig.buildOnPush is not for source external_container, only for codehost
      warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ sourceConfig: {
                + buildOnPush : true
                ~ resourceSpec: {
                    ~ cpu     : 0.5 => 2
                    ~ cpuLimit: 1 => 4
                  }
              }
              --outputs:--
            ~ updatedAt           : "<time>" => "<time>"
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    const resource_spec = { cpu: 2, cpu_limit: 4, labels: { "team.example.com/Name": "a_b" } };
    const body = { source_config: { build_on_push: true, resource_spec } };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(requests).toEqual(["PATCH /v2/deployments/<id> 200"]);
    expect(revisions()).toBe(2);
  });
});
