import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";
// import { alertOnErrors } from "./alert";

const config = new pulumi.Config();

const support = new Deployment("support-agent", {
  source: "codehost",
  sourceConfig: {
    integrationId: config.require("integrationId"),
    repoUrl: config.require("repoUrl"),
    deploymentType: "serverless",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
});

// alertOnErrors("support-agent", support);

export const { url, tracerSessionId } = support;
