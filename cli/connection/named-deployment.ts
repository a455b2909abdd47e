/** Finds the deployments that a user names: by a resource of the stack, or else by the name on the service. */
import type { Connection } from "../../provider/control-plane/connect";
import type { Observed } from "../../provider/deployment/service";
import { firstOf } from "../../provider/text/first-of";
import { didYouMeanText } from "../../schema/wording";
import { UsageError, type Io } from "../command";
import { collect, type CommandConnection } from "./service-connection";
import { ownerAmongOthers, stackInUse, type StackInUse } from "./stack-deployments";

export type Client = Connection["client"];

/** A deployment, and the stack that the command is for, if there is one. */
export interface Chosen {
  readonly deployment: Observed;
  readonly stack: string | undefined;
}

export type Finder = Awaited<ReturnType<typeof finderFor>>;

/** Reads the stack's state, but asks the service nothing yet. */
export async function finderFor(connection: CommandConnection, io: Io) {
  const stack = await stackInUse(connection.stack, io);
  return {
    stack: stack?.name,
    managed: stack?.managed ?? [],
    find: (name: string, client: Client) => findNamed(name, client, stack, io),
  };
}

/** Throws if there is no such deployment. */
export async function deploymentNamed(name: string, connection: CommandConnection, io: Io): Promise<Chosen> {
  const { client } = connection;
  const { stack, find } = await finderFor(connection, io);
  const deployment = await find(name, client);
  if (deployment !== undefined) return { deployment, stack };
  throw new Error(await missingText([name], client));
}

/** That the service does not have these deployments, and which of its own may be meant. */
export async function missingText(missing: readonly string[], client: Client): Promise<string> {
  // The message is about something else than a list that cannot be read.
  const names = (await collect(client.list({})).catch(() => [])).map(({ name }) => name);
  const all = names.length === 0 ? "" : `; the service has ${firstOf([...names].sort())}`;
  const meant = missing.map((name) => didYouMeanText(name, names)).join("") || all;
  return `the service has no deployment named ${missing.map((name) => `"${name}"`).join(" or ")}${meant}`;
}

/** Throws for a name that several resources have, or for the deployment of another stack. */
async function findNamed(
  name: string,
  client: Client,
  stack: StackInUse | undefined,
  io: Io,
): Promise<Observed | undefined> {
  const own = stack?.managed.filter(({ resource }) => resource === name) ?? [];
  if (own.length > 1) {
    const names = own.map((each) => each.name ?? each.id);
    throw new UsageError(
      `stack ${stack!.name} has several resources "${name}": write a deployment's name, ${names.join(" or ")}`,
    );
  }
  const id = own[0]?.id;
  if (id !== undefined) return client.read(id);
  const { deployment } = await client.find(name);
  if (stack === undefined || deployment === undefined) return deployment;
  const owner = await ownerAmongOthers(deployment.id, stack, io);
  if (owner === undefined) return deployment;
  throw new UsageError(
    `deployment ${name} belongs to stack ${owner.stack}, as ${owner.resource}: add --stack ${owner.stack}`,
  );
}
