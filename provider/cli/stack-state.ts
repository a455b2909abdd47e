/** Reads which deployments a stack has, through the Pulumi CLI. Secrets stay encrypted. */
import { z } from "zod";
import { deploymentTokens } from "../internal-inputs";
import { parseJson } from "../text/json";
import { logicalName, typeIn } from "../urn";
import type { Io } from "./command";
import { projectFolder, pulumi } from "./stack";

const State = z.object({
  deployment: z.object({
    resources: z.array(
      z.object({
        urn: z.string(),
        id: z.string().optional(),
        external: z.boolean().optional(),
        delete: z.boolean().optional(),
      }),
    ),
  }),
});

/**
 * The logical names of the deployments that the stack manages, by id. Empty if no stack can be read.
 *
 * @param stack the default is the selected one
 */
export async function managedIn(stack: string | undefined, io: Io): Promise<ReadonlyMap<string, string>> {
  if (projectFolder(io) === undefined) return new Map();
  const answer = await pulumi(["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])], io);
  const state = State.safeParse(answer === "not installed" ? undefined : parseJson(answer.stdout));
  const managed = (state.data?.deployment.resources ?? []).filter(
    (each) => deploymentTokens.includes(typeIn(each.urn)) && !each.external && !each.delete,
  );
  return new Map(managed.map(({ id = "", urn }) => [id.toLowerCase(), logicalName(urn)]));
}
