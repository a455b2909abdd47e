/** The queries of lookups, which check their arguments. */
import { DeploymentFilters, RepositoryFilters } from "../../schema/filters";
import type { Client } from "../control-plane/client";
import { resultOf } from "../lookup/result";
import { checkObject, checkShape, keyIn, lookUp } from "../lookup/lookup";
import type { Repository } from "../lookup/repository";
import type { Observed } from "../deployment/service";
import type { Values } from "../../schema/tree";
import type {
  DeploymentResult,
  GetDeploymentArgs,
  ListDeploymentsArgs,
  ListRepositoriesArgs,
} from "./results";

export { awaitClient, clientFor, settingTexts } from "./lookup-client";

export async function find(client: Client, args: GetDeploymentArgs): Promise<DeploymentResult> {
  return typed(await lookUp(client, keyIn(args)));
}

export async function* listed(
  client: Client,
  args: ListDeploymentsArgs,
): AsyncGenerator<DeploymentResult, void> {
  checkObject(args, 'filters such as { nameContains: "chat" }');
  checkShape(DeploymentFilters, args);
  for await (const page of client.list(args)) yield* page.map(typed);
}

export async function repositories(client: Client, args: ListRepositoriesArgs): Promise<Repository[]> {
  checkObject(args, '{ integrationId: "…" }');
  checkShape(RepositoryFilters, args);
  const { integrationId, host = "codehost" } = args;
  return client.listings.repositories(integrationId, host);
}

function typed(observed: Observed): DeploymentResult {
  return resultOf(observed) as Values & DeploymentResult;
}
