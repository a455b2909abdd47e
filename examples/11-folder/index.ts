import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

const agent = new Deployment(
  "agent",
  {
    // Each stack has its own name, type and size.
    name: config.require("name"),
    source: "internal_source",
    // The type serverless scales to zero while no one uses the deployment; dedicated always runs.
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
