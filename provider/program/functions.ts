/** The functions that look up existing deployments and repositories. */
import * as pulumi from "@pulumi/pulumi";
import { sentencesText } from "../errors/advice";
import type { Integration, Listener, Repository } from "../lookup/repository";
import { withMarkedCredentials } from "../text/credential";
import { longestText, sanitize } from "../text/sanitize";
import type { LookUpOptions } from "./provider";
import { InputError } from "./input-error";
import { lookups } from "./on-demand";
import {
  LazyList,
  type DeploymentResult,
  type GetDeploymentArgs,
  type InputsOf,
  type ListDeploymentsArgs,
  type ListRepositoriesArgs,
  type WithSecretOutputs,
} from "./results";
import type { Client } from "../control-plane/client";

/**
 * Looks up an existing deployment by id or by exact name. Its secrets, and credentials in its containers, labels and annotations,
 * come in plain text: `getDeploymentOutput` seals them.
 *
 * @example
 * ```ts
 * const search = await getDeployment({ name: "search" });
 * ```
 */
export function getDeployment(
  args: GetDeploymentArgs,
  options: LookUpOptions = {},
): Promise<DeploymentResult> {
  return lookedUp("getDeployment", options, (client) => lookups().find(client, args));
}

/** Like `getDeployment`, for arguments that are outputs. The secrets, and credentials in containers, are secret outputs. */
export function getDeploymentOutput(
  args: InputsOf<GetDeploymentArgs>,
  options: LookUpOptions = {},
): pulumi.Output<WithSecretOutputs> {
  return asOutput("getDeploymentOutput", args, options, async (client, known) =>
    withSecretOutputs(await lookups().find(client, known)),
  );
}

/**
 * Lists the deployments that match all filters. Await it to get an array, or iterate it to fetch page after page. Secrets, and
 * credentials in containers, labels and annotations, come in plain text: `listDeploymentsOutput` seals them.
 *
 * @example
 * ```ts
 * const ready = await listDeployments({ status: "READY" });
 * for await (const { name } of listDeployments()) names.push(name);
 * ```
 */
export function listDeployments(
  args: ListDeploymentsArgs = {},
  options: LookUpOptions = {},
): Promise<DeploymentResult[]> & AsyncIterable<DeploymentResult> {
  return new LazyList(async function* () {
    try {
      const { awaitClient, listed } = lookups();
      yield* listed(await awaitClient(options), args);
    } catch (error) {
      throw explain("listDeployments", error);
    }
  });
}

/** Like `listDeployments`, for arguments that are outputs. The secrets, and credentials in containers, are secret outputs. */
export function listDeploymentsOutput(
  args: InputsOf<ListDeploymentsArgs> = {},
  options: LookUpOptions = {},
): pulumi.Output<WithSecretOutputs[]> {
  return asOutput("listDeploymentsOutput", args, options, async (client, known) => {
    const deployments = await new LazyList(() => lookups().listed(client, known));
    return deployments.map(withSecretOutputs);
  });
}

/**
 * Lists the repositories that an integration gives access to.
 *
 * @example
 * ```ts
 * const repositories = await listRepositories({ integrationId });
 * const { sourceConfig, sourceRevisionConfig } = fromRepository(repositories.find(({ name }) => name === "chat")!);
 * ```
 */
export function listRepositories(
  args: ListRepositoriesArgs,
  options: LookUpOptions = {},
): Promise<Repository[]> {
  return lookedUp("listRepositories", options, (client) => lookups().findRepositories(client, args));
}

/** Like `listRepositories`, for arguments that are outputs. */
export function listRepositoriesOutput(
  args: InputsOf<ListRepositoriesArgs>,
  options: LookUpOptions = {},
): pulumi.Output<Repository[]> {
  return asOutput("listRepositoriesOutput", args, options, (client, known) =>
    lookups().findRepositories(client, known),
  );
}

/**
 * Lists the code-host integrations of the tenant, whose ids are values for `sourceConfig.integrationId`. Throws in dialect
 * `standard`, which has no such list.
 *
 * @example
 * ```ts
 * const [integration] = await listIntegrations();
 * ```
 */
export function listIntegrations(options: LookUpOptions = {}): Promise<Integration[]> {
  return lookedUp("listIntegrations", options, (client) => client.listings.integrations());
}

/**
 * Lists the listeners that run images on your own clusters, with the values for `sourceConfig.listenerId` and
 * `sourceConfig.listenerConfig`. Throws in dialect `standard`, which has no such list.
 *
 * @example
 * ```ts
 * const [listener] = await listListeners();
 * ```
 */
export function listListeners(options: LookUpOptions = {}): Promise<Listener[]> {
  return lookedUp("listListeners", options, (client) => client.listings.listeners());
}

/** Makes only `secrets` and credentials secret, so that the rest of the result stays readable. */
function withSecretOutputs(result: DeploymentResult): WithSecretOutputs {
  const marked: object = withMarkedCredentials(result, (value) => pulumi.secret(value));
  return { ...(marked as WithSecretOutputs), secrets: pulumi.secret(result.secrets) };
}

function lookedUp<T>(name: string, options: LookUpOptions, ask: (client: Client) => Promise<T>): Promise<T> {
  return explained(name, async () => ask(await lookups().awaitClient(options)));
}

function asOutput<T>(
  name: string,
  args: unknown,
  options: LookUpOptions,
  work: (client: Client, args: unknown) => Promise<T>,
): pulumi.Output<T> {
  const texts = pulumi.output(explained(name, async () => lookups().settingTexts(options)));
  const found = pulumi
    .all([pulumi.output(args), texts])
    .apply(([known, settings]) => explained(name, async () => work(lookups().clientFor(settings), known)));
  return found as pulumi.Output<T>;
}

async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(name, error);
  }
}

/** An error that the engine shows without a stack trace. */
function explain(name: string, error: unknown): Error {
  const text = sanitize(`${name}: ${sentencesText(error)}`, longestText);
  return Object.assign(new InputError(text), { cause: error });
}
