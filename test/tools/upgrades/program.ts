/** A program whose five deployments make the provider write everything that it can remember of a deployment. */
import type { JsonObject } from "../../../emulator";
import { packagedProgram } from "../../e2e/plugin-support";
import type { Adapter } from "../../support/earlier-versions";

const code = `
new Deployment("secret", {
  source: "external_container",
  sourceConfig: { customUrl: pulumi.secret("https://Hidden-From-All.example.com/"), resourceSpec: { cpu: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/secret:1" },
  secrets: { MODEL_API_KEY: "sesame-opens-41", DB_PASSWORD: pulumi.secret("sesame-opens-42") },
  secretReferences: { DB_URL: { secretName: "db", secretKey: "url" } },
  triggers: ["2026-01-01", 1],
}, { customTimeouts: { update: "1h" } });

new Deployment("adopted", {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 2, sidecars: [{ name: "log" }] } },
  sourceRevisionConfig: { imageUri: "registry.example.com/adopted:1" },
  adopt: true,
});

new Deployment("normalized", {
  source: "external_container",
  sourceConfig: {
    customUrl: "https://Normalized.example.com/",
    resourceSpec: { cpu: 0.58, memoryMb: 1000, labels: { "a.b": "c" }, sidecars: [{ name: "log" }] },
  },
  sourceRevisionConfig: { imageUri: "Registry.example.com/normalized:1" },
});

new Deployment("imported", {
  source: "codehost",
  sourceConfig: {
    integrationId: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
    repoUrl: "https://code.example.com/acme/imported",
    buildOnPush: true,
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
});

new Deployment("late", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/late:1" },
}, { customTimeouts: { create: "1s", update: "1m" } });
`;

const opening = `const pulumi = require("@pulumi/pulumi");
const { Deployment } = require("pulumi-deployment-service");`;

export const programs: Record<Adapter, Record<"Pulumi.yaml" | "index.js", string>> = {
  dynamic: { "Pulumi.yaml": "name: program\nruntime: nodejs\n", "index.js": `${opening}\n${code}` },
  packaged: packagedProgram(code) as Record<"Pulumi.yaml" | "index.js", string>,
};

/** Deployments that exist before the program runs, which adopts one and imports the other. */
export const madeByHand: readonly JsonObject[] = [
  {
    name: "adopted",
    source: "external_container",
    source_config: {
      resource_spec: { cpu: 2, sidecars: [{ name: "log" }], annotations: { "example.com/by": "hand" } },
    },
    source_revision_config: { image_uri: "registry.example.com/adopted:1" },
    secrets: [{ name: "KEPT", value: "sesame-opens-43" }],
  },
  {
    name: "imported",
    source: "codehost",
    source_config: {
      integration_id: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
      repo_url: "https://code.example.com/acme/imported",
      build_on_push: true,
    },
    source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
    secrets: [{ name: "KEPT", value: "sesame-opens-44" }],
  },
];
