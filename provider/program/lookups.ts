/** The queries of lookups. */
import { DeploymentFilters, RepositoryFilters } from "../../schema/filters";
import { checkObject, checkShape, keyIn, lookUp, resultOf, withoutTokens } from "../deployment/lookup";
import type { Integration, Listener, Repository } from "../deployment/repository";
import type { Observed } from "../deployment/service";
import type { Values } from "../../schema/tree";
import type {
  DeploymentResult,
  GetDeploymentArgs,
  ListDeploymentsArgs,
  ListRepositoriesArgs,
} from "./results";
import type { Session } from "./lookup-cache";

export { awaitSession, sessionFor, settingTexts } from "./lookup-cache";

export function findOnce(session: Session, args: GetDeploymentArgs): Promise<DeploymentResult> {
  const key = keyIn(args);
  return session.once(["get", key], async (client) => typed(await lookUp(client, key)));
}

export async function* listed(
  { client }: Session,
  args: ListDeploymentsArgs,
): AsyncGenerator<DeploymentResult, void> {
  checkObject(args, 'filters such as { nameContains: "chat" }');
  checkShape(DeploymentFilters, args);
  for await (const page of client.list(args)) yield* page.map(typed);
}

export async function repositoriesOnce(session: Session, args: ListRepositoriesArgs): Promise<Repository[]> {
  checkObject(args, '{ integrationId: "…" }');
  checkShape(RepositoryFilters, args);
  const { integrationId, host = "codehost" } = args;
  return session.once(["repositories", integrationId, host], (client) =>
    client.listings.repositories(integrationId, host),
  );
}

export function integrationsOnce(session: Session): Promise<Integration[]> {
  return session.once(["integrations"], (client) => client.listings.integrations());
}

export function listenersOnce(session: Session): Promise<Listener[]> {
  return session.once(["listeners"], (client) => client.listings.listeners());
}

function typed(observed: Observed): DeploymentResult {
  return resultOf(withoutTokens(observed)) as Values & DeploymentResult;
}
