import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../emulator";
import { deploymentService, program, useProduct } from "./support";

const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";

/** Deployments as people create them by hand. The service fills in the rest. */
const byHand: Readonly<Record<string, JsonObject>> = {
  "app-0": {
    source: "codehost",
    source_config: {
      integration_id: integrationId,
      repo_url: "https://code.example.com/acme/app",
      build_on_push: true,
      deployment_type: "dev",
    },
    source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
    secrets: [
      { name: "MODEL_API_KEY", value: "model-app-0-hush" },
      { name: "DB_PASSWORD", value: "db-app-0-hush" },
    ],
  },
  "Über a/b": {
    source: "external_container",
    source_config: {
      custom_url: "https://app-1.example.com",
      install_command: "echo ${HOME} $${x} $y",
      resource_spec: {
        cpu: 0.5,
        labels: { "app.example.com/name": "a: b # c", on: "yes" },
        // The service says so of what is not set.
        annotations: { "example.com/unset": null },
        sidecars: [{ name: "log", env: [{ name: "A", value: "1" }], securityContext: { runAsUser: 0 } }],
      },
      listener_id: integrationId,
      listener_config: { k8s_namespace: "apps" },
    },
    source_revision_config: { image_uri: "registry.example.com/app:1.0" },
    secret_references: [{ name: "DB_URL", secret_name: "db", secret_key: "url" }],
    secrets: [{ name: "REGION", value: "eu-west-hush" }],
  },
};
const count = Object.keys(byHand).length;

const fromFile = program(`require("pulumi-deployment-service").fromManifest("deployments.yaml");`);

const hush = /-hush/;

describe("import of deployments made by hand", () => {
  const product = useProduct({ program: fromFile, emulator: { idSeed: 1 } });
  const imported = () => readFileSync(join(product.stack.folder, "import.json"), "utf8");
  const manifest = () => readFileSync(join(product.stack.folder, "deployments.yaml"), "utf8");
  let before: unknown;

  it("writes the two files, changes nothing on the service, and writes no value of a secret (F04)", async () => {
    for (const [name, body] of Object.entries(byHand)) product.emulator.create({ name, ...body });
    before = product.emulator.deployments();
    const { stdout } = await deploymentService(product, ["import", "--out", "import.json"]);
    expect(stdout).toContain(`${count} deployments: import.json for the stack's state`);
    expect(stdout).toMatch(/where a\s+comment has each command/);
    expect(manifest()).toContain("pulumi config set --secret app0ModelApiKey");
    expect(`${stdout}${imported()}${manifest()}`).not.toMatch(hush);
    expect(new Set(product.emulator.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  it("is taken by the CLI, and the next preview of the manifest shows no change at all (F01, F14)", async () => {
    const { output } = await product.stack.import("import.json", { args: ["--protect=false"] });
    expect(output).toContain(`${count} imported`);
    expect(output).not.toContain("warning");
    const { screen, requests } = await product.preview({ args: ["--expect-no-changes", "--diff"] });
    expect(screen).toBe(`Previewing update (dev):\nResources:\n    ${count + 1} unchanged`);
    // The engine took the file over as it is: only the first preview looks whether the deployments are there.
    expect(requests.filter((each) => !each.startsWith("GET"))).toEqual([]);
    expect(product.stack.stateText()).not.toMatch(hush);
  });

  it("takes back what others changed since, with the first `up`, which sends what it announces", async () => {
    product.emulator.change("app-0", ({ source_config: config }) => void (config["build_on_push"] = false));
    const { screen, writes } = await product.up();
    expect(screen).toContain("app-0: updates settings, no new revision (sourceConfig.buildOnPush)");
    expect(writes).toMatchObject([{ method: "PATCH", body: { source_config: { build_on_push: true } } }]);
    await product.preview({ args: ["--expect-no-changes"] });
    before = product.emulator.deployments();
  });

  it("stays without a change through a refresh and an up (F12)", async () => {
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
    expect((await product.up({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    expect(product.emulator.deployments()).toEqual(before);
  });

  it("lets a team turn its secrets on one by one, and loses none on the way (F05)", async () => {
    const [others, own] = manifest().split("\n  app-0:\n");
    const taken = own!
      .replace("    # secrets:\n", "    secrets:\n")
      .replace("    #   MODEL_API_KEY", "      MODEL_API_KEY");
    writeFileSync(join(product.stack.folder, "deployments.yaml"), `${others}\n  app-0:\n${taken}`);
    await product.stack.setConfig("app0ModelApiKey", "rotated-1", { secret: true });
    const { writes } = await product.up();
    expect(writes).toEqual([
      {
        method: "PATCH",
        body: {
          secrets: [
            { name: "DB_PASSWORD", value: "db-app-0-hush" },
            { name: "MODEL_API_KEY", value: "rotated-1" },
          ],
        },
      },
    ]);
    expect(product.stack.stateText()).not.toMatch(/hush|rotated-1/);
    await product.preview({ args: ["--expect-no-changes"] });
  });
});
