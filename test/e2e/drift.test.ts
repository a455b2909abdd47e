import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

const args = {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 0.5, labels: { team: "a" } } },
  sourceRevisionConfig: { imageUri: "registry.example.com/app:1" },
  secrets: { KEY: "k-1" },
};
const names = ["sized", "keyed", "rolled", "labelled", "plain", "gone", "leaving"];
const deployments = {
  ...Object.fromEntries(names.map((name) => [name, args])),
  plain: { source: "external_container" },
};

describe("drift", () => {
  const product = useProduct({ program: declaring(deployments) });
  const drift = () => {
    const { emulator } = product;
    emulator.change("sized", ({ source_config }) => {
      source_config["resource_spec"] = { cpu: 4, max_scale: 9, labels: { team: "a" } };
    });
    emulator.change("keyed", ({ secrets }) => secrets.splice(0, 1, { name: "KEY", value: "k-2" }));
    emulator.change("rolled", ({ source_revision_config }) => {
      source_revision_config["image_uri"] = "registry.example.com/app:2";
    });
    emulator.change("labelled", ({ source_config }) => {
      source_config["resource_spec"] = { cpu: 0.5, labels: { team: "a", "added.example.com/by": "a mesh" } };
    });
    emulator.change("plain", ({ source_config, secrets }) => {
      Object.assign(source_config, { build_on_push: true, resource_spec: { cpu: 8 } });
      secrets.push({ name: "ADDED", value: "by hand" });
    });
  };
  const bodies = (writes: readonly { method: string; body?: unknown }[]) =>
    writes.map(({ body }) => body).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

  it("is what the program owns and someone changed, and nothing else (C19, E01, E11, E23, E25)", async () => {
    await product.up();
    drift();
    product.emulator.remove("gone");
    const { screen, requests } = await product.refresh({ diff: true });
    expect(requests).toEqual(["GET /v2/deployments 200"]);
    expect(screen).toMatchInlineSnapshot(`
      "Refreshing (dev):
          - pulumi-nodejs:dynamic/deployment-service:Deployment: (delete)
              --outputs:--
            - activeRevisionId    : "<id>"
            - createdAt           : "<time>"
            - generation          : 1
            - imageVersion        : "1.0.0"
            - latestRevisionId    : "<id>"
            - name                : "gone"
            - secrets             : [secret]
            - source              : "external_container"
            - sourceConfig        : {
                - resourceSpec: {
                    - cpu   : 0.5
                    - labels: {
                        - team: "a"
                      }
                  }
              }
            - sourceRevisionConfig: {
                - imageUri: "registry.example.com/app:1"
              }
            - status              : "READY"
            - tenantId            : "<id>"
            - updatedAt           : "<time>"
            - url                 : "https://gone-<hash>.apps.example.com"
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ secrets: {
                ~ KEY: [secret] => [secret]
              }
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ sourceConfig: {
                ~ resourceSpec: {
                    ~ cpu: 0.5 => 4
                  }
              }
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ sourceRevisionConfig: {
                ~ imageUri: "registry.example.com/app:1" => "registry.example.com/app:2"
              }
      Resources:
          ~ 3 updated
          - 1 deleted
          4 changes. 4 unchanged"
    `);
    expect(() => product.stack.resource("gone")).toThrow();
  });

  it("is shown by the next preview, and undone by the next up (E08, E24)", async () => {
    const { screen } = await product.preview();
    expect(screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
       +  pulumi-nodejs:dynamic/deployment-service:Deployment gone create
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment keyed update [diff: ~secrets]; keyed: updates settings, no new revision (secrets: ~KEY)
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment rolled update [diff: ~generation,sourceRevisionConfig]; rolled: creates a new revision (sourceRevisionConfig.imageUri)
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment sized update [diff: ~sourceConfig]; sized: updates settings, no new revision (sourceConfig.resourceSpec.cpu)
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (keyed):
          keyed: updates settings, no new revision (secrets: ~KEY)
        pulumi-nodejs:dynamic/deployment-service:Deployment (rolled):
          rolled: creates a new revision (sourceRevisionConfig.imageUri)
        pulumi-nodejs:dynamic/deployment-service:Deployment (sized):
          sized: updates settings, no new revision (sourceConfig.resourceSpec.cpu)
      Resources:
          + 1 to create
          ~ 3 to update
          4 changes. 4 unchanged"
    `);
    const { writes } = await product.up();
    expect(writes).toHaveLength(4);
    expect(bodies(writes)).toEqual(
      expect.arrayContaining([
        { name: "gone", ...postOf(args) },
        { secrets: [{ name: "KEY", value: "k-1" }] },
        // What nobody declared stays.
        { source_config: { resource_spec: { cpu: 0.5, labels: { team: "a" }, max_scale: 9 } } },
        { source_revision_config: { image_uri: "registry.example.com/app:1" } },
      ]),
    );
    expect(product.emulator.deployment("plain")?.secrets).toEqual([{ name: "ADDED", value: "by hand" }]);
    await product.refresh({ args: ["--expect-no-changes"] });
  });
});

function postOf({ source, sourceConfig, sourceRevisionConfig, secrets }: typeof args) {
  const { cpu, labels } = sourceConfig.resourceSpec;
  return {
    source,
    source_config: { resource_spec: { cpu, labels } },
    source_revision_config: { image_uri: sourceRevisionConfig.imageUri },
    secrets: [{ name: "KEY", value: secrets.KEY }],
  };
}
