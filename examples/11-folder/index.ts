import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

// Each stack has its own name, type and size.
// The type serverless scales to zero while no one uses the deployment; dedicated always runs.
const agent = new Deployment(
  "agent",
  {
    name: config.require("name"),
    source: "internal_source",
    sourceConfig: {
      deploymentType: config.require("deploymentType"),
      deploymentTier: config.require("deploymentTier"),
    },
    sourceDirectory: "./agent",
    sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  },
  { protect: pulumi.getStack() === "prod" },
);

export const { status, url } = agent;
