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

  it("is changed by one request, whatever changed (B12, C01, G03)", async () => {
    declare({
      sourceConfig: { buildOnPush: true, customUrl: "https://chat.example.com", resourceSpec: { cpu: 1 } },
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:3", graphConfigPath: "graph.json" },
      secrets: { TOKEN: "t-2", KEY: "k-1" },
      secretReferences: { DB_URL: { secretName: "chat-db", secretKey: "address" } },
    });
    const { screen, writes } = await product.up({ diff: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
      chat: creates a new revision (sourceRevisionConfig.imageUri); also changes sourceConfig.customUrl, sourceConfig.resourceSpec.cpu, sourceConfig.resourceSpec.cpuLimit, sourceConfig.resourceSpec.labels: -team.example.com/Name, secrets: ~TOKEN, secretReferences: ~DB_URL
      warning: chat: sourceConfig.buildOnPush is not for source external_container, only for codehost
      warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ generation          : 2 => 3
            ~ secretReferences    : {
                ~ DB_URL: {
                    ~ secretKey: "url" => "address"
                  }
              }
            ~ secrets             : [secret] => [secret]
            ~ sourceConfig        : {
                + customUrl   : "https://chat.example.com"
                ~ resourceSpec: {
                    ~ cpu     : 2 => 1
                    - cpuLimit: 4
                    - labels  : {
                        - team.example.com/Name: "a_b"
                      }
                  }
              }
            ~ sourceRevisionConfig: {
                ~ imageUri: "registry.example.com/chat:2" => "registry.example.com/chat:3"
              }
              --outputs:--
            ~ activeRevisionId    : "<id>" => "<id>"
            ~ latestRevisionId    : "<id>" => "<id>"
            ~ updatedAt           : "<time>" => "<time>"
            ~ url                 : "https://chat-<hash>.apps.example.com" => "https://chat.example.com"
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    const body = {
      source_config: { custom_url: "https://chat.example.com", resource_spec: { cpu: 1 } },
      source_revision_config: { image_uri: "registry.example.com/chat:3" },
      secrets: [
        { name: "KEY", value: "k-1" },
        { name: "TOKEN", value: "t-2" },
      ],
      secret_references: [{ name: "DB_URL", secret_name: "chat-db", secret_key: "address" }],
    };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(revisions()).toBe(3);
  });

  it("loses what is no longer declared (C16, C17)", async () => {
    declare({
      sourceConfig: undefined,
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:3" },
      secrets: {},
      secretReferences: undefined,
    });
    const { writes } = await product.up();
    const body = {
      source_config: { build_on_push: null, custom_url: null, resource_spec: null },
      source_revision_config: { graph_config_path: null },
      secrets: [],
      secret_references: null,
    };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(product.emulator.deployment("chat")).toMatchObject({ secrets: [], source_config: {} });
  });
});
