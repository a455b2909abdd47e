/** The queries of lookups, as a program calls them. */
import type { Client } from "../control-plane/client";
import { findDeployment, findDeployments } from "../lookup/lookup";
import type { DeploymentResult, GetDeploymentArgs, ListDeploymentsArgs } from "./results";

export { findRepositories } from "../lookup/lookup";
export { awaitClient, clientFor, settingTexts } from "./lookup-client";

export async function find(client: Client, args: GetDeploymentArgs): Promise<DeploymentResult> {
  return (await findDeployment(client, args)) as unknown as DeploymentResult;
}

export function listed(client: Client, args: ListDeploymentsArgs): AsyncIterable<DeploymentResult> {
  return findDeployments(client, args) as AsyncIterable<unknown> as AsyncIterable<DeploymentResult>;
}
