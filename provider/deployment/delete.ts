/** Deleting a deployment, unless this run means to keep it, and waiting until the service has done so. */
import { type ControlPlaneError, DeploymentError, isKind } from "../errors";
import { formatDuration } from "../duration";
import { logicalName } from "../urn";
import { type Context, isDeleting, placeOf } from "./service";
import {
  confirmDeleted,
  isOtherAddress,
  readHere,
  refuseOtherAddress,
  refuseOtherSettings,
} from "./identity";
import { nextPoll, heartbeat, failureOf } from "./wait";
import type { Claim } from "./claims";
import { argumentsIn, deployedAs, isDeclared, versionOf, type Stored } from "./state";
import { elapsed, type End } from "../limits";
import { lastPoll } from "./wait-messages";

export async function remove(context: Context, id: string, state: Stored = {}): Promise<void> {
  const claim = claimAgainst(context, id, state);
  if (claim !== undefined) return context.log.warning(kept(claim, id, state));
  context.run.noteKnown(id);
  if (isDeclared(state) && (await isDeletedElsewhere(context, id, state))) return;
  if (await startDeletion(context, id, state)) await finishDeletion(context, id);
}

/** Through another connection nothing is deleted, but what was deleted may be said to be. Throws where it is not said, or is there. */
async function isDeletedElsewhere(context: Context, id: string, state: Stored): Promise<boolean> {
  refuseOtherSettings(state, context);
  if (!isOtherAddress(state, context)) return false;
  const isSaid = context.run.isAllDeleted && (await readHere(context, id, state)) === undefined;
  if (!isSaid) refuseOtherAddress(state, context);
  await confirmDeleted(context, id, state);
  return true;
}

/** The claim that keeps the deployment. Throws where keeping it is no reason yet to forget it. */
function claimAgainst(context: Context, id: string, state: Stored): Claim | undefined {
  const { run } = context;
  if (run.isResult(versionOf(state))) return undefined;
  const claim = run.claimOn(deployedAs(id, state), context.resource);
  if (claim?.hold === "wants") {
    throw new DeploymentError(
      `not deleted: "${logicalName(claim.resource)}" needs the deployment ${id} or its name in this run and has not got it. ` +
        "Mend what failed there, then run `pulumi up` again",
    );
  }
  if (claim === undefined && run.isNotReady(placeOf(context, state))) {
    throw new DeploymentError(
      `not deleted: what is to replace the deployment ${id} is not ready. Mend that, then run \`pulumi up\` again`,
    );
  }
  return claim;
}

function kept({ resource }: Claim, id: string, state: Stored): string {
  return (
    `${String(state.name)}: the deployment ${id} is not deleted, it belongs to the resource "${logicalName(resource)}" ` +
    "now. Only the resource of the old name leaves the state"
  );
}

/** Whether there is a deletion to wait for. */
async function startDeletion(context: Context, id: string, state: Stored): Promise<boolean> {
  const { service } = context;
  try {
    await service.delete(id, argumentsIn(state), state.tenantId);
    return true;
  } catch (error) {
    // An earlier run may have begun it, or this one by a try whose response was lost.
    if (!isKind(error, "conflict", "not-found")) throw error;
    const observed = await service.read(id);
    if (observed !== undefined && isDeleting(observed)) return true;
    if (observed !== undefined) throw error;
    if (isKind(error, "not-found")) await confirmDeleted(context, id, state);
    return false;
  }
}

async function finishDeletion(context: Context, id: string): Promise<void> {
  const { end, failure } = await waitForDeletion(context, id);
  if (end === "interrupted") {
    throw new DeploymentError(
      "interrupted: the deployment is being deleted and still there. It stays in the state; run the command " +
        "again to go on waiting",
    );
  }
  if (end === "out of time") {
    throw new DeploymentError(
      `the deployment was not deleted within ${formatDuration(context.timeout)}` +
        (failure === undefined ? "" : `, or nobody could tell: ${failure.message}`) +
        ". It stays in the state; run the command again to go on waiting, or give it more time with the resource option " +
        "`customTimeouts`",
    );
  }
}

/**
 * Polls until a deployment that is being deleted does not exist any more, or until the time or the user's patience is over;
 * with the reason why the last poll showed nothing, if it did not.
 */
export async function waitForDeletion(
  context: Context,
  id: string,
): Promise<{ readonly end: "deleted" | End; readonly failure?: Error | undefined }> {
  const { clock, log, timeout } = context;
  const isTime = heartbeat(clock);
  let failure: ControlPlaneError | undefined;
  let hadResponse = false;
  for (;;) {
    const time = `${formatDuration(elapsed(clock, context))} of at most ${formatDuration(timeout)}`;
    if (isTime(`deleting ${failure?.kind}`))
      log.progress(`waiting until it is deleted (${time})${lastPoll(failure)}`);
    const result = await nextPoll(context, id, { isDeleted: true });
    if (result === undefined) return { end: "deleted" };
    if (result === "interrupted") return { end: result, failure };
    failure = failureOf(result, failure, hadResponse);
    hadResponse ||= failure === undefined;
    if (result === "out of time" || isKind(result, "out-of-time")) return { end: "out of time", failure };
  }
}
