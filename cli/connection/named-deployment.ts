/** Finds the deployments that a user names: by a resource of the stack, or else by the name on the service. */
import type { Connection } from "../../provider/control-plane/connect";
import type { Observed } from "../../provider/deployment/service";
import { firstOf } from "../../provider/text/first-of";
import { sanitize } from "../../provider/text/sanitize";
import { didYouMeanText } from "../../schema/wording";
import { UsageError, type Io, type ParsedArguments } from "../command";
import type { CommandConnection } from "./service-connection";
import { ownerAmongOthers, stackInUse, type StackInUse } from "./stack-deployments";

type Client = Connection["client"];

export interface Finder {
  readonly name: string;
  readonly find: (client: Client) => Promise<Observed | undefined>;
}

/** A deployment, and the stack that the command is for, if there is one. */
export interface Chosen {
  readonly deployment: Observed;
  readonly stack: string | undefined;
}

/** One for each name. Reads the stack's state, but asks the service nothing yet. */
export async function findersFor(
  names: readonly string[],
  connection: CommandConnection,
  io: Io,
): Promise<readonly Finder[]> {
  if (names.length === 0) return [];
  const stack = await stackInUse(connection.stack, io);
  return [...new Set(names)].map((name) => finderFor(name, stack, io));
}

/** The deployment with exactly this name. Throws if there is none, or if the user named none. */
export async function deploymentNamed(
  name: string | undefined,
  connection: CommandConnection,
  io: Io,
): Promise<Chosen> {
  const { client } = connection;
  if (name === undefined) throw new UsageError(`NAME is missing${namesText(await namesOn(client))}`);
  const stack = await stackInUse(connection.stack, io);
  const deployment = await finderFor(name, stack, io).find(client);
  if (deployment !== undefined) return { deployment, stack: stack?.name };
  throw new Error(await missingText([name], client));
}

/**
 * The deployment with the given name. Without one, the only deployment of the stack, or else of the service; its name is
 * reported.
 */
export async function deploymentMeant(
  { positionals: [name] }: Pick<ParsedArguments, "positionals">,
  connection: CommandConnection,
  io: Io,
): Promise<Chosen> {
  if (name !== undefined) return deploymentNamed(name, connection, io);
  const { client } = connection;
  const stack = await stackInUse(connection.stack, io);
  const { managed = [] } = stack ?? {};
  const ofStack = managed.length === 1 ? await client.read(managed[0]!.id) : undefined;
  const found = ofStack === undefined && managed.length === 0 ? await allOn(client) : [ofStack];
  const [deployment] = found;
  if (deployment === undefined || found.length > 1) return deploymentNamed(undefined, connection, io);
  io.stderr.write(`deployment ${sanitize(deployment.name)}\n`);
  return { deployment, stack: stack?.name };
}

/** That the service does not have these deployments, and which of its own may be meant. */
export async function missingText(missing: readonly string[], client: Client): Promise<string> {
  const names = await namesOn(client);
  const meant = missing.map((name) => didYouMeanText(name, names)).join("") || namesText(names);
  return `the service has no deployment named ${missing.map((name) => `"${name}"`).join(" or ")}${meant}`;
}

/** Throws for a name that several resources have, or for the deployment of another stack. */
function finderFor(name: string, stack: StackInUse | undefined, io: Io): Finder {
  const own = stack?.managed.filter(({ resource }) => resource === name) ?? [];
  if (own.length > 1) {
    const names = own.map((each) => each.name ?? each.id);
    throw new UsageError(
      `stack ${stack!.name} has several resources "${name}": write a deployment's name, ${names.join(" or ")}`,
    );
  }
  const id = own[0]?.id;
  if (id !== undefined) return { name, find: (client) => client.read(id) };
  return {
    name,
    find: async (client) => {
      const { deployment } = await client.find(name);
      if (stack === undefined || deployment === undefined) return deployment;
      const owner = await ownerAmongOthers(deployment.id, stack, io);
      if (owner === undefined) return deployment;
      throw new UsageError(
        `deployment ${name} belongs to stack ${owner.stack}, as ${owner.resource}: add --stack ${owner.stack}`,
      );
    },
  };
}

function namesText(names: readonly string[]): string {
  return names.length === 0 ? "" : `; the service has ${firstOf([...names].sort())}`;
}

/** The names of all deployments; none if they cannot be listed, for a message that is about something else. */
async function namesOn(client: Client): Promise<string[]> {
  return (await allOn(client).catch(() => [])).map(({ name }) => name);
}

async function allOn(client: Client): Promise<Observed[]> {
  const found: Observed[] = [];
  for await (const page of client.list({})) found.push(...page);
  return found;
}
