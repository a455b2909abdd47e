import * as service from "@agentdeployments/deployment-service";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

const weather = new service.Deployment("weather", {
  source: service.Source.ExternalContainer,
  sourceRevisionConfig: { imageUri: "registry.example.com/weather:2.0.1" },
});

const travel = new service.Deployment(
  "travel",
  {
    source: service.Source.ExternalContainer,
    sourceConfig: {
      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024, labels: { team: "agents" } },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/travel:1.4.2" },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
    triggers: [weather.latestRevisionId],
  },
  { customTimeouts: { create: "1h" } },
);

export const url = travel.url;
export const generation = travel.generation;
