/** Deletes a deployment, unless another resource of this run keeps it, and waits until it is deleted. */
import { type ControlPlaneError, DeploymentError, isKind } from "../errors";
import { formatDuration } from "../time/duration";
import { logicalName } from "../text/urn";
import type { Context } from "./context";
import { isDeleting, type Observed } from "./service";
import { refusalOfReplacement } from "./name-taken";
import { refuseElsewhere, refuseOwned, refuseUnseen } from "./identity";
import { timedLine } from "../time/timed-line";
import { pollUntil } from "./wait";
import type { Claim } from "./claims";
import type { State } from "./state";
import { lastPoll } from "./wait-messages";

/** @throws if the deployment still exists */
export async function remove(context: Context, id: string, state: State): Promise<void> {
  const claim = claimAgainst(context, id, state);
  if (claim !== undefined) return context.log.warning(kept(claim, id));
  // A deployment that no program has declared yet records no connection to compare.
  if (state.generation !== undefined) refuseElsewhere(state, context);
  refuseLastOfName(context, state);
  await refuseDeletingOwned(context, id);
  if (await startDeletion(context, id, state)) await finishDeletion(context, id);
}

/** Only the service knows. If it cannot be read, the deletion shows why. */
async function refuseDeletingOwned({ service, dialect }: Context, id: string): Promise<void> {
  if (Object.keys(dialect.owners).length === 0) return;
  const observed = await service.read(id).catch(() => undefined);
  if (observed !== undefined) refuseOwned(observed);
}

/** The engine replaces it without a comparison (`--replace`), perhaps under an alias, and was told to delete it first. */
function refuseLastOfName({ run, dialect }: Context, { arguments: old }: State): void {
  if (![...run.toCreate.values()].includes(old.name)) return;
  const reason = refusalOfReplacement(old, old, dialect);
  if (reason !== undefined) throw new DeploymentError(`not deleted: ${reason}`);
}

/** The claim that keeps the deployment. Throws if the claiming operation failed: then the old resource must stay in the state. */
function claimAgainst({ run, claimant }: Context, id: string, state: State): Claim | undefined {
  if (run.isResult(state)) return undefined;
  const claim = run.claims.claimOn(id, claimant);
  if (claim?.hold !== "failed") return claim;
  throw new DeploymentError(
    `not deleted: "${logicalName(claim.resource)}" failed to adopt or replace the deployment ${id} in this run. ` +
      "Fix that failure, then run `pulumi up` again",
  );
}

function kept({ resource }: Claim, id: string): string {
  return (
    `the deployment ${id} is not deleted, because it now belongs to the resource "${logicalName(resource)}". Only the old ` +
    "resource is removed from the state"
  );
}

/** Returns whether there is a deletion to wait for. */
async function startDeletion(context: Context, id: string, state: State): Promise<boolean> {
  const { service } = context;
  try {
    await service.delete(id, state.arguments, state.observed.tenantId);
    return true;
  } catch (error) {
    // An earlier run, or a try whose response was lost, may have started the deletion.
    if (!isKind(error, "conflict", "not-found")) throw error;
    const observed = await service.read(id);
    if (observed !== undefined && isDeleting(observed)) return true;
    if (observed !== undefined) throw error;
    // With a wrong key, a list without the deployment does not mean that it was deleted.
    await refuseUnseen(state, context);
    return false;
  }
}

/** The engine records nothing of a failed deletion, so an `up` that declares the deployment again would find nothing to do. */
const nextStep =
  "run the command again to continue waiting (the resource option `customTimeouts` gives it more time), or run `pulumi refresh` " +
  "before the next `pulumi up`";

async function finishDeletion(context: Context, id: string): Promise<void> {
  const show = timedLine(context);
  const endOfDeletion = (observed: Observed | undefined) => (observed === undefined ? "deleted" : undefined);
  const showTime = (failure: ControlPlaneError | undefined) =>
    show(`${failure?.kind}`, (time) => `deleting ${time}: waiting for it to finish${lastPoll(failure)}`);
  const { end, failure } = await pollUntil(context, id, endOfDeletion, showTime, { awaitsDeletion: true });
  if (end === "deleted") return;
  const why =
    end === "interrupted"
      ? "interrupted: the deployment is being deleted but still exists"
      : `the deployment was not deleted within ${formatDuration(context.timeout)}`;
  throw new DeploymentError(`${why}${lastPoll(failure)}. It stays in the state: ${nextStep}`);
}
