/** Reads which deployments stacks have, through the Pulumi CLI. Secrets stay encrypted. */
import { z } from "zod";
import { deploymentTokens } from "../../provider/deployment/internal-inputs";
import { projectFolderOf } from "../../provider/files/project-folder";
import { parseJson } from "../../provider/text/json";
import { sanitize } from "../../provider/text/sanitize";
import { logicalName, typeIn } from "../../provider/text/urn";
import { UsageError, type Io } from "../command";
import { pulumi } from "./stack-configuration";

/** A deployment that a stack manages. */
export interface Managed {
  readonly id: string;
  /** The name of its resource. */
  readonly resource: string;
  readonly name: string | undefined;
  readonly tenantId: string | undefined;
  /** The address of the service that it was created on; undefined if the state does not have it, as after an import. */
  readonly address: string | undefined;
}

const text = z.string().optional().catch(undefined);

const Outputs = z.object({
  name: text,
  tenantId: text,
  __private: z.object({ madeWith: z.object({ address: text }).optional() }).optional(),
});

const State = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          id: z.string().default(""),
          external: z.boolean().optional(),
          delete: z.boolean().optional(),
          outputs: Outputs.catch({}).default({}),
        }),
      )
      .default([]),
  }),
});

/**
 * The deployments that a stack manages. Undefined if it cannot be read.
 *
 * @param stack the default is the selected one
 */
export async function managedBy(stack: string | undefined, io: Io): Promise<readonly Managed[] | undefined> {
  const answer = await pulumi(["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])], io);
  const state = State.safeParse(parseJson(answer.stdout));
  const resources = state.data?.deployment.resources.filter(
    (each) => deploymentTokens.includes(typeIn(each.urn)) && !each.external && !each.delete,
  );
  return resources?.map(({ urn, id, outputs: { name, tenantId, __private } }) => ({
    id: id.toLowerCase(),
    resource: logicalName(urn),
    name,
    tenantId,
    address: __private?.madeWith?.address,
  }));
}

/** The logical names of the deployments that the stack manages, by id. Empty if no stack can be read. */
export async function managedIn(stack: string | undefined, io: Io): Promise<ReadonlyMap<string, string>> {
  const managed = projectFolderOf(io.cwd) === undefined ? undefined : await managedBy(stack, io);
  return new Map(managed?.map(({ id, resource }) => [id, resource]));
}

const Stacks = z.array(z.object({ name: z.string() }));

/** The full names of all stacks of the backend that the CLI is logged in to. */
export async function stackNames(io: Io): Promise<string[]> {
  const answer = await pulumi(["stack", "ls", "--all", "--json"], io);
  const stacks = Stacks.safeParse(parseJson(answer.stdout));
  if (stacks.success) return stacks.data.map(({ name }) => name);
  const reason = answer.failure ?? "`pulumi stack ls --all --json` did not print a list";
  throw new UsageError(`the stacks cannot be listed: ${sanitize(reason)}. See \`pulumi whoami --verbose\``);
}
