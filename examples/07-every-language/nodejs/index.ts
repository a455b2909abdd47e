import * as service from "@pulumi/deployment-service";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

const search = new service.Deployment("search", {
  source: service.Source.ExternalContainer,
  sourceRevisionConfig: { imageUri: "registry.example.com/search:2.0.1" },
});

const chat = new service.Deployment(
  "chat",
  {
    source: service.Source.ExternalContainer,
    sourceConfig: {
      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024, labels: { team: "agents" } },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
    triggers: [search.latestRevisionId],
  },
  { customTimeouts: { create: "1h" } },
);

export const url = chat.url;
export const generation = chat.generation;
