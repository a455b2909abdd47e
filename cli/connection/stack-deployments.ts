/** Reads which deployments stacks have, through the Pulumi CLI. Secrets stay encrypted. */
import { z } from "zod";
import { deploymentTokens } from "../../provider/stored/internal-inputs";
import { parseJson } from "../../provider/text/json";
import { sanitize } from "../../provider/text/sanitize";
import { logicalName, typeIn } from "../../provider/text/urn";
import { UsageError, type Io } from "../command";
import { pulumi } from "./pulumi-process";
import { selectedStack } from "./stack-configuration";

/** A deployment that a stack manages. */
export interface Managed {
  readonly id: string;
  /** The name of its resource. */
  readonly resource: string;
  /** Its name on the service. */
  readonly name: string | undefined;
}

/** The stack that a command is for. */
export interface StackInUse {
  readonly name: string;
  readonly managed: readonly Managed[];
}

const State = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          id: z.string().default(""),
          external: z.boolean().optional(),
          delete: z.boolean().optional(),
          outputs: z.object({ name: z.string().optional() }).catch({}).default({}),
        }),
      )
      .default([]),
  }),
});

/** The given stack, or else the selected one; undefined if there is none. Throws a `UsageError` if its state cannot be read. */
export async function stackInUse(given: string | undefined, io: Io): Promise<StackInUse | undefined> {
  const name = given ?? (await selectedStack(io));
  if (name === undefined) return undefined;
  const managed = await managedBy(name, io);
  if (managed !== undefined) return { name, managed };
  throw new UsageError(
    `cannot read the state of stack ${sanitize(name)}: run \`pulumi stack export --stack ${sanitize(name)}\` to see why`,
  );
}

/** The resource of another stack of the project that has the deployment; undefined if none has, or this one does. */
export async function ownerAmongOthers(
  id: string,
  { name, managed }: StackInUse,
  io: Io,
): Promise<{ readonly stack: string; readonly resource: string } | undefined> {
  const isIt = (each: Managed) => each.id === id.toLowerCase();
  if (managed.some(isIt)) return undefined;
  const listed = Stacks.safeParse(parseJson((await pulumi(["stack", "ls", "--json"], io)).stdout));
  const others = (listed.data ?? []).filter((each) => each.name !== name).map((each) => each.name);
  const found = await Promise.all(
    others.map(async (stack) => ({ stack, owner: (await managedBy(stack, io))?.find(isIt) })),
  );
  const { stack, owner } = found.find((each) => each.owner !== undefined) ?? {};
  return stack === undefined || owner === undefined ? undefined : { stack, resource: owner.resource };
}

const Stacks = z.array(z.object({ name: z.string() }));

/** Undefined if the stack cannot be read. */
async function managedBy(stack: string, io: Io): Promise<readonly Managed[] | undefined> {
  const answer = await pulumi(["stack", "export", "--stack", stack], io);
  const state = State.safeParse(parseJson(answer.stdout));
  const resources = state.data?.deployment.resources.filter(
    (each) => deploymentTokens.includes(typeIn(each.urn)) && !each.external && !each.delete,
  );
  return resources?.map(({ urn, id, outputs: { name } }) => ({
    id: id.toLowerCase(),
    resource: logicalName(urn),
    name,
  }));
}
