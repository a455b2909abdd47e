/** Deleting a deployment, unless this run means to keep it, and waiting until the service has done so. */
import { DeploymentError, isKind } from "../errors";
import { formatDuration } from "../duration";
import { placeOf, type Context } from "./context";
import { waitUntilGone } from "./gone";
import {
  confirmDeleted,
  isOtherAddress,
  readHere,
  refuseOtherAddress,
  refuseOtherSettings,
} from "./identity";
import { isDeleting } from "./rollout";
import type { Claim } from "./run";
import { argumentsIn, deployedAs, isDeclared, versionOf } from "./state";
import type { Values } from "../values";

export async function remove(context: Context, id: string, state: Values = {}): Promise<void> {
  const claim = claimAgainst(context, id, state);
  if (claim !== undefined) return context.log.warning(kept(claim, id, state));
  context.run.noteKnown(id);
  if (isDeclared(state) && (await isDeletedElsewhere(context, id, state))) return;
  if (await startDeletion(context, id, state)) await waitForDeletion(context, id);
}

/** Through another connection nothing is deleted, but what was deleted may be said to be. Throws where it is not said, or is there. */
async function isDeletedElsewhere(context: Context, id: string, state: Values): Promise<boolean> {
  refuseOtherSettings(state, context);
  if (!isOtherAddress(state, context)) return false;
  const isSaid = context.run.isAllDeleted && (await readHere(context, id, state)) === undefined;
  if (!isSaid) refuseOtherAddress(state, context);
  await confirmDeleted(context, id, state);
  return true;
}

/** The claim that keeps the deployment. Throws where keeping it is no reason yet to forget it. */
function claimAgainst(context: Context, id: string, state: Values): Claim | undefined {
  const { run } = context;
  if (run.isResult(versionOf(state))) return undefined;
  const claim = run.claimOn(deployedAs(id, state), context.resource);
  if (claim?.hold === "wants") {
    throw new DeploymentError(
      `not deleted: "${logicalName(claim.resource)}" needs the deployment ${id} or its name in this run and has not got it. ` +
        "Mend what failed there, then run `pulumi up` again",
    );
  }
  if (claim === undefined && run.hasFailedToCreate(placeOf(context, state))) {
    throw new DeploymentError(
      `not deleted: what is to replace the deployment ${id} is not ready. Mend that, then run \`pulumi up\` again`,
    );
  }
  return claim;
}

function kept({ resource }: Claim, id: string, state: Values): string {
  return (
    `${String(state["name"])}: the deployment ${id} is not deleted, it belongs to the resource "${logicalName(resource)}" ` +
    "now. Only the resource of the old name leaves the state"
  );
}

/** The last part of a URN. */
function logicalName(resource: string): string {
  return resource.split("::").pop()!;
}

/** Whether there is a deletion to wait for. */
async function startDeletion(context: Context, id: string, state: Values): Promise<boolean> {
  const { service } = context;
  try {
    await service.delete(id, argumentsIn(state), state["tenantId"] as string | null | undefined);
    return true;
  } catch (error) {
    // An earlier run may have begun it, or this one by a try whose answer was lost.
    if (!isKind(error, "conflict", "not-found")) throw error;
    const observed = await service.read(id);
    if (observed !== undefined && isDeleting(observed)) return true;
    if (observed !== undefined) throw error;
    if (isKind(error, "not-found")) await confirmDeleted(context, id, state);
    return false;
  }
}

async function waitForDeletion(context: Context, id: string): Promise<void> {
  const { end, trouble } = await waitUntilGone(context, id);
  if (end === "interrupted") {
    throw new DeploymentError(
      "interrupted: the deployment is being deleted and still there. It stays in the state; run the command " +
        "again to go on waiting",
    );
  }
  if (end === "out of time") {
    throw new DeploymentError(
      `the deployment was not deleted within ${formatDuration(context.timeout)}` +
        (trouble === undefined ? "" : `, or nobody could tell: ${trouble.message}`) +
        ". It stays in the state; run the command again to go on waiting, or give it more time with the resource option " +
        "`customTimeouts`",
    );
  }
}
