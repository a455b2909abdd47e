/** Deleting a deployment, unless this run means to keep it, and waiting until the service has done so. */
import { type ControlPlaneError, DeploymentError, isKind } from "../errors";
import { formatDuration } from "../duration";
import { logicalName } from "../urn";
import { type Context, isDeleting, claimantOf } from "./service";
import { refuseBlindKey, refuseElsewhere } from "./identity";
import { nextPoll, heartbeat, failureOf } from "./wait";
import type { Claim } from "./claims";
import { deployedAs, type State } from "./state";
import { elapsed, type End } from "../limits";
import { lastPoll } from "./wait-messages";

/** @throws as long as the service still has the deployment */
export async function remove(context: Context, id: string, state: State): Promise<void> {
  const claim = claimAgainst(context, id, state);
  if (claim !== undefined) return context.log.warning(kept(claim, id, state));
  if (state.generation !== undefined) refuseElsewhere(state, context);
  if (await startDeletion(context, id, state)) await finishDeletion(context, id);
}

/** The claim that keeps the deployment. Throws where keeping it is no reason yet to forget it. */
function claimAgainst(context: Context, id: string, state: State): Claim | undefined {
  const { run } = context;
  if (run.isResult(state)) return undefined;
  const claim = run.claimOn(deployedAs(id, state.observed), claimantOf(context, state.arguments));
  if (claim?.hold !== "failed") return claim;
  throw new DeploymentError(
    `not deleted: "${logicalName(claim.resource)}" failed to take over or replace the deployment ${id} in this run. ` +
      "Fix that failure, then run `pulumi up` again",
  );
}

function kept({ resource }: Claim, id: string, state: State): string {
  return (
    `${String(state.arguments.name)}: the deployment ${id} is not deleted, it belongs to the resource "${logicalName(resource)}" ` +
    "now. Only the old resource is removed from the state"
  );
}

/** Whether there is a deletion to wait for. */
async function startDeletion(context: Context, id: string, state: State): Promise<boolean> {
  const { service } = context;
  try {
    await service.delete(id, state.arguments, state.observed.tenantId);
    return true;
  } catch (error) {
    // An earlier run may have begun it, or this one by a try whose response was lost.
    if (!isKind(error, "conflict", "not-found")) throw error;
    const observed = await service.read(id);
    if (observed !== undefined && isDeleting(observed)) return true;
    if (observed !== undefined) throw error;
    // Also after a try whose response was lost: that of a wrong key has deleted nothing.
    if (isKind(error, "not-found")) await refuseBlindKey(context, state);
    return false;
  }
}

/** An `up` that declares the deployment again finds nothing to do: the engine keeps nothing of a deletion that failed. */
const goOn = "run the command again to go on waiting, or `pulumi refresh` before the next `pulumi up`";

async function finishDeletion(context: Context, id: string): Promise<void> {
  const { end, failure } = await waitForDeletion(context, id);
  if (end === "interrupted") {
    throw new DeploymentError(
      `interrupted: the deployment is being deleted and still there. It stays in the state: ${goOn}`,
    );
  }
  if (end === "out of time") {
    throw new DeploymentError(
      `the deployment was not deleted within ${formatDuration(context.timeout)}` +
        (failure === undefined ? "" : `, or nobody could tell: ${failure.message}`) +
        `. It stays in the state: ${goOn}. The resource option \`customTimeouts\` gives it more time`,
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
