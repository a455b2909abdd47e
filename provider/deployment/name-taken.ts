/** The error for a name that another deployment has. */
import { DeploymentError } from "../errors";
import { stackIn } from "../text/urn";
import type { Context } from "./context";
import type { Observed } from "./service";
import { type CheckedArguments, deployedAs } from "./state";

/**
 * Contains what the user can do about it. Protects the deployment that has the name from deletion in this run: if the resource was
 * renamed, it is the declared deployment.
 *
 * @param holder the deployment that has the name, if the service shows it
 */
export function nameTaken(
  context: Context,
  declared: CheckedArguments,
  cause: Error,
  holder?: Observed,
): DeploymentError {
  const { run, claimant } = context;
  if (holder !== undefined) run.claims.claim(deployedAs(holder.id, holder), claimant.resource, "failed");
  return new DeploymentError(`${cause.message}. ${adviceOn(context, declared, holder)}`, { cause });
}

const adoption = "choose another name, or set `adopt: true` if the source stays the same";
const nothingToAdopt = "The service's list has no deployment of that name to adopt";
const renamed = "If the resource was renamed in the program, set the resource option `aliases`";
const takeOver =
  "To take the deployment over (an interrupted `pulumi up` may have created it), set `adopt: true` or import it";
const replaced = "If `--replace`, `state taint` or `replacementTrigger` replaces this resource";
const deleteFirst = "set the resource option `deleteBeforeReplace: true`";

/** The first row that applies. */
function adviceOn(
  { run: { compared }, claimant: { resource }, retainOnDelete }: Context,
  { adopt, name, source }: CheckedArguments,
  holder: Observed | undefined,
): string {
  // A resource that was compared in this run is being replaced.
  const isOwn = holder !== undefined && compared.get(resource)?.id === holder.id;
  const own = `The name belongs to this resource's own deployment ${holder?.id}`;
  const otherStack = `If another stack of this program has it, put the stack into the name: ${name}-${stackIn(resource) ?? "STACK"}`;
  const rows = [
    {
      when: holder?.owner,
      says: [
        `The name is that of a ${holder?.owner?.what}, which ${holder?.owner?.owns}. Choose another name`,
      ],
    },
    { when: isOwn && retainOnDelete, says: [`${own}, which \`retainOnDelete\` keeps: ${adoption}`] },
    {
      when: isOwn,
      says: [
        `${own}, because the engine creates the replacement first: ${deleteFirst}`,
        `If \`retainOnDelete\` keeps that deployment, ${adoption}`,
      ],
    },
    { when: adopt, says: [`${nothingToAdopt}: run \`pulumi up\` again, or choose another name`] },
    // Another source cannot be adopted.
    {
      when: holder !== undefined && holder.source !== source,
      says: [
        otherStack,
        `Otherwise choose another name, because the source of ${holder?.id} is ${holder?.source}, which cannot change. ` +
          "If an interrupted `pulumi up` created that deployment, delete it on the service",
      ],
    },
    { when: compared.has(resource), says: [otherStack, takeOver] },
    {
      when: retainOnDelete,
      says: [
        otherStack,
        renamed,
        takeOver,
        `${replaced}, \`retainOnDelete\` keeps the old deployment: ${adoption}`,
      ],
    },
    { when: true, says: [otherStack, renamed, takeOver, `${replaced}, ${deleteFirst}`] },
  ];
  return rows.find(({ when }) => when)!.says.join(". ");
}
