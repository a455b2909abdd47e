import * as pulumi from "@pulumi/pulumi";
import { Deployment, fromRepository, listRepositoriesOutput } from "pulumi-deployment-service";

const integrationId = new pulumi.Config().require("integrationId");

const repository = listRepositoriesOutput({ integrationId }).apply((repositories) => {
  const found = repositories.find(({ owner, name }) => owner === "acme" && name === "triage");
  if (found === undefined) throw new pulumi.RunError("the integration gives no access to acme/triage");
  return found;
});

const { sourceConfig, sourceRevisionConfig } = fromRepository(repository);

const triage = new Deployment("triage", {
  source: "codehost",
  sourceConfig: { ...sourceConfig, buildOnPush: true },
  sourceRevisionConfig: { ...sourceRevisionConfig, graphConfigPath: "graph.json" },
});

export const url = triage.url;
