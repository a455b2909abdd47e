import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

const chat = new Deployment("chat", {
  source: "external_container",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const status = chat.status;
export const url = chat.url;
