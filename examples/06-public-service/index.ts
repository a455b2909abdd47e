import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

const researcher = new Deployment(
  "researcher",
  {
    source: "codehost",
    sourceConfig: {
      integrationId: config.require("integrationId"),
      repoUrl: config.require("repoUrl"),
      deploymentType: "dev",
      buildOnPush: true,
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
    deleteTracingProject: true,
  },
  // The first build takes longest.
  { customTimeouts: { create: "45m", update: "45m" } },
);

export const { url, status, latestRevisionStatus } = researcher;
