import * as pulumi from "@pulumi/pulumi";
import { Deployment, fromOutput } from "pulumi-deployment-service";

const config = new pulumi.Config();

export const search = new Deployment(
  "search",
  {
    source: "external_container",
    sourceConfig: { resourceSpec: { minScale: 1, cpu: 0.5, maxScale: 4 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/search:2.1.0" },
    secretReferences: {
      INDEX_URL: { secretName: "search-index", secretKey: "url" },
    },
  },
  { retainOnDelete: false, customTimeouts: { create: "45m" } },
);

// What people talk to.
export const chat = new Deployment("chat", {
  source: "codehost",
  sourceConfig: {
    resourceSpec: { minScale: 2, cpu: 2, maxScale: 6 },
    integrationId: "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11",
    repoUrl: "https://code.example.com/acme/chat",
    buildOnPush: false,
  },
  // a release, never a branch
  sourceRevisionConfig: {
    repoRef: "refs/tags/v1.4.2",
    graphConfigPath: "graph.json",
  },
  secrets: {
    MODEL_API_KEY: config.requireSecret("modelApiKey"),
    LOG_LEVEL: process.env.LOG_LEVEL || "info",
    SEARCH_URL: pulumi.interpolate`${fromOutput(search, "url")}/v1`, // makes chat wait for search
  },
});
