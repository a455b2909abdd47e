/** Waits for the rollout of an accepted write. */
import { valueAt } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { contentIn } from "./content";
import { DeploymentError, messageOf } from "../errors";
import { waitUntilReady } from "./ready";
import { rolloutSince, identifyRevision, isRolledOut } from "./awaited-revision";
import { type Change, stateAfterStep } from "./record";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { Rollout } from "./private-state";
import { type CheckedArguments, type State, UnfinishedError } from "./state";
import { waitForRollout, type Waited } from "./wait";

/**
 * Waits for the rollout of an accepted change, if there is one to wait for, and records the state after it.
 *
 * @param rollout made by the change or by an earlier one; undefined if there is nothing to wait for
 * @param before the state before the write; undefined for a new deployment
 * @throws UnfinishedError with the state, however the wait ends: the deployment exists
 */
export async function waitAndRecord(
  context: Context,
  change: Change,
  rollout: Rollout | undefined,
  before: State | undefined,
): Promise<{ state: State; observed: Observed }> {
  const waited = await waitUntilServing(context, change, rollout);
  const { end, cause, observed } = waited;
  const { state, warnings } = stateAfterStep(change, waited, before, context);
  for (const warning of warnings) context.log.warning(warning);
  if (end === "stopped") throw new UnfinishedError(resumable(cause), observed.id, state, { cause });
  return { state, observed };
}

/** Until the revision is active and, with `ready`, the application answers. */
async function waitUntilServing(
  context: Context,
  { declared, response }: Change,
  rollout: Rollout | undefined,
): Promise<Waited> {
  const { arguments: args } = declared;
  if (rollout === undefined) return { end: "active", observed: response, rollout };
  if (args.skipAwait) {
    const end = isRolledOut(response, rollout) ? "active" : "not awaited";
    return { end, observed: response, rollout: identifyRevision(rollout, response) };
  }
  const waited = await waitForRollout(context, rollout, response);
  if (waited.end !== "active") return waited;
  return waitUntilReady(context, args, waited.observed).then(
    () => waited,
    (cause: unknown) => ({ ...waited, end: "stopped", cause }),
  );
}

/** Why the wait ended. If the connection failed, adds that the rollout continues. */
function resumable(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof DeploymentError) return message;
  return `${message}. The deployment exists and its rollout continues: the next \`pulumi up\` resumes waiting`;
}

/** The rollout of the revision that a change made; undefined if there is nothing to roll out yet. */
export function rolloutOf(context: Context, { declared, response, previous }: Change): Rollout | undefined {
  const missing = missingUpload(declared.arguments, response, context.dialect);
  if (missing !== undefined) {
    context.log.info(
      "there is nothing to run yet, so this does not wait for a rollout. The first one begins with an upload, " +
        `or with ${missing}`,
    );
    return undefined;
  }
  return rolloutSince(response, previous);
}

/** Path of what a deployment of this source runs, if it is not set yet. */
function missingUpload(
  declared: CheckedArguments,
  observed: Observed,
  { uploads }: Dialect,
): string | undefined {
  // The response may be older than the upload.
  if (contentIn(declared) !== undefined) return undefined;
  const upload = Object.hasOwn(uploads, declared.source) ? uploads[declared.source] : undefined;
  if (upload === undefined) return undefined;
  const isThere = (values: unknown) => typeof valueAt(values, upload.split(".")) === "string";
  return isThere(declared) || isThere(observed) ? undefined : upload;
}
