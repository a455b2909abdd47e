/** Turns an accepted write into the new state: waits for its rollout, and records normalizations. */
import { valueAt } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError, messageOf } from "../errors";
import { madeBy } from "./identity";
import { mayLag, normalizedAfter, reportNormalizations, type Written } from "./normalized";
import { waitUntilReady } from "./ready";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { PrivateState, Rollout } from "./private-state";
import {
  type CheckedArguments,
  type Declared,
  revisionsIn,
  type State,
  stateOf,
  UnfinishedError,
  unmanagedAfter,
} from "./state";
import { identifyRevision, nextPoll, waitForRollout, type Waited } from "./wait";
import * as texts from "./wait-messages";

/** A write that the service accepted, by this run or an earlier one. */
export interface Accepted {
  /** With the content of the folder as uploaded. */
  readonly declared: Declared;
  /** The response to the write. */
  readonly observed: Observed;
  readonly written: Written;
  /** Undefined if there is nothing to wait for. */
  readonly rollout: Rollout | undefined;
  readonly remembered: Pick<PrivateState, "takenOver" | "unmanagedSecrets" | "uploaded">;
}

/**
 * Waits for the rollout, if there is one to wait for.
 *
 * @param before the state before the change; undefined for a new deployment
 * @throws UnfinishedError with the state, however the wait ends: the deployment exists
 */
export async function rollOut(context: Context, accepted: Accepted, before?: State): Promise<State> {
  const { declared, observed: response } = accepted;
  const { arguments: args } = declared;
  const waited = await waitFor(context, accepted);
  const written = ownPart(accepted.written, waited);
  const isBehind = waited.end === "active" && !args.skipAwait && mayLag(written, args, waited.observed);
  const observed = isBehind ? await readOnce(context, waited.observed) : waited.observed;
  const normalizations = normalizedAfter(written, args, response, observed);
  if (waited.end !== "stopped")
    reportNormalizations(context, args.name, normalizations, before?.private.normalizations);
  // A later run has waited for a new revision too.
  const isGivenUp = waited.end === "no revision" && accepted.rollout === before?.private.rollout;
  const state = stateOf(declared, observed, context, {
    takenOver: before?.private.takenOver,
    unmanagedSecrets: before && unmanagedAfter(before, args),
    uploaded: before?.private.uploaded,
    ...accepted.remembered,
    madeWith: madeBy(context, response, before),
    immutable: before?.private.immutable,
    rollout: waited.end === "active" || isGivenUp ? undefined : waited.rollout,
    normalizations,
  });
  if (waited.end === "stopped") {
    const { cause } = waited;
    throw new UnfinishedError(resumable(cause), observed.id, state, { cause });
  }
  if (waited.end === "no revision")
    context.log.warning((isGivenUp ? texts.neverSeen : texts.notSeenYet)(args.name, observed));
  return state;
}

async function waitFor(context: Context, { declared, observed, rollout }: Accepted): Promise<Waited> {
  const { arguments: args } = declared;
  if (rollout === undefined) return { end: "active", observed, rollout };
  if (args.skipAwait) return { end: "active", observed, rollout: identifyRevision(rollout, observed) };
  const waited = await waitForRollout(context, args.name, rollout, observed);
  if (waited.end !== "active") return waited;
  return waitUntilReady(context, args, waited.observed).then(
    () => waited,
    (cause: unknown) => ({ ...waited, end: "stopped", cause }),
  );
}

/** One more read of a response that may be stale. The write has succeeded, even if this read fails. */
async function readOnce(context: Context, last: Observed): Promise<Observed> {
  const next = await nextPoll(context, last.id).catch(() => undefined);
  return typeof next === "object" && !(next instanceof Error) ? next : last;
}

/** If there is no new revision, or someone else has made a newer one, no response shows how the service normalized this write. */
function ownPart(written: Written, { end, observed, rollout }: Waited): Written {
  const { latestRevisionId: latest } = observed;
  const isOvertaken =
    rollout !== undefined &&
    rollout.revision !== null &&
    latest !== null &&
    ![rollout.revision, ...rollout.previous].includes(latest);
  return isOvertaken || end === "no revision" ? { ...written, sent: {} } : written;
}

/** Why the wait ended. If the connection failed, adds that the rollout continues. */
function resumable(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof DeploymentError) return message;
  return `${message}. The deployment exists and its rollout continues: the next \`pulumi up\` resumes waiting`;
}

/**
 * The rollout of the revision that a write made; undefined if there is nothing to roll out yet.
 *
 * @param previous the revisions from before the write
 */
export function rolloutAfter(
  context: Context,
  declared: CheckedArguments,
  observed: Observed,
  previous: readonly string[],
): Rollout | undefined {
  const missing = missingUpload(declared, observed, context.dialect);
  if (missing !== undefined) {
    context.log.info(
      `${declared.name}: there is nothing to run yet, so this does not wait for a rollout. The first one begins with an upload, ` +
        `or with ${missing}`,
    );
    return undefined;
  }
  return rolloutSince(context, observed, previous);
}

/** Path of what a deployment of this source runs, if it is not set yet. */
function missingUpload(
  declared: CheckedArguments,
  observed: Observed,
  { uploads }: Dialect,
): string | undefined {
  const upload = Object.hasOwn(uploads, declared.source) ? uploads[declared.source] : undefined;
  const isThere = (values: unknown) => typeof valueAt(values, upload!.split(".")) === "string";
  return upload === undefined || isThere(declared) || isThere(observed) ? undefined : upload;
}

/** The rollout of a revision newer than the previous ones. */
export function rolloutSince(
  { clock }: Context,
  { latestRevisionId }: Observed,
  previous: readonly string[],
): Rollout {
  // A stale response shows an earlier revision, which is not the one to wait for.
  const revision = latestRevisionId !== null && previous.includes(latestRevisionId) ? null : latestRevisionId;
  return { revision, previous, since: new Date(clock.now()).toISOString() };
}

/** Adopting a deployment unchanged rolls nothing out. If `ready` is declared, its active revision is still checked. */
export function activeRollout(
  { clock }: Context,
  { ready }: CheckedArguments,
  observed: Observed,
): Rollout | undefined {
  const { activeRevisionId: revision } = observed;
  if (ready === undefined || revision === null) return undefined;
  const previous = revisionsIn(observed).filter((each) => each !== revision);
  return { revision, previous, since: new Date(clock.now()).toISOString() };
}
