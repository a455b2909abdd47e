import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();
const isProduction = pulumi.getStack() === "prod";

const tutor = new Deployment(
  "tutor",
  {
    source: "external_container",
    sourceConfig: { resourceSpec: { minScale: isProduction ? 2 : 1, maxScale: isProduction ? 6 : 1 } },
    sourceRevisionConfig: { imageUri: `registry.example.com/tutor:${config.get("tag") ?? "1.0.0"}` },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  },
  { protect: isProduction },
);

export const { status, url } = tutor;
