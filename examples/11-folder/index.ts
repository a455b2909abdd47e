import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

const agent = new Deployment("agent", {
  source: "internal_source",
  // The type serverless scales to zero while nobody uses the deployment; dedicated always runs.
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
  sourceDirectory: "./agent",
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const { status, url } = agent;
