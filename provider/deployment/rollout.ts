/** Turns an accepted write into the new state: waits for its rollout, and records what the service shows. */
import { valueAt, type Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { contentIn } from "./content";
import { DeploymentError, messageOf } from "../errors";
import { seenAfter, type Written } from "./baseline";
import { differencesFrom } from "./drift";
import { madeBy } from "./identity";
import { newNormalizations, tellNormalizations } from "./normalizations";
import { waitUntilReady } from "./ready";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { Rollout } from "./private-state";
import { type CheckedArguments, type Declared, outputsFrom, type State, UnfinishedError } from "./state";
import { identifyRevision, isRolledOut, nextPoll, waitForRollout, type Waited } from "./wait";
import * as texts from "./wait-messages";

/** A write that the service accepted, by this run or an earlier one. */
export interface Accepted {
  /** With the content of the folder as uploaded. */
  readonly declared: Declared;
  /** What was sent of the arguments; empty if the call only waits. */
  readonly sent: Values;
  readonly makesRevision: boolean;
  readonly response: Observed;
  /** The revisions from before the write. */
  readonly previous: readonly string[];
  /** Undefined if there is nothing to wait for. */
  readonly rollout: Rollout | undefined;
}

/**
 * Waits for the rollout, if there is one to wait for.
 *
 * @param before the state before the write; undefined for a new deployment
 * @throws UnfinishedError with the state, however the wait ends: the deployment exists
 */
export async function rollOut(
  context: Context,
  accepted: Accepted,
  before: State | undefined,
): Promise<State> {
  const { declared, response } = accepted;
  const { arguments: args } = declared;
  const waited = await waitFor(context, accepted);
  const isDone = waited.end === "active" && !args.skipAwait;
  const mayLag = isDone && !isOthers(waited) && isBehind(accepted, before, waited.observed);
  const observed = mayLag ? await readOnce(context, waited.observed) : waited.observed;
  const written = writtenBy(accepted, before, { ...waited, observed });
  if (waited.end !== "stopped") tellNormalizations(context, newNormalizations(written, args, before));
  // A later run has waited for a new revision too.
  const isGivenUp = waited.end === "no revision" && accepted.rollout === before?.private.rollout;
  const state: State = {
    ...declared,
    observed: outputsFrom(observed),
    private: {
      takenOver: before?.private.takenOver,
      madeWith: madeBy(context, response, before),
      rollout: waited.end === "active" || isGivenUp ? undefined : waited.rollout,
      seen: seenAfter(written, args, before, context),
    },
  };
  if (waited.end === "stopped") {
    const { cause } = waited;
    throw new UnfinishedError(resumable(cause), observed.id, state, { cause });
  }
  if (waited.end === "no revision")
    context.log.warning((isGivenUp ? texts.neverSeen : texts.notSeenYet)(observed));
  return state;
}

async function waitFor(context: Context, { declared, response, rollout }: Accepted): Promise<Waited> {
  const { arguments: args } = declared;
  if (rollout === undefined) return { end: "active", observed: response, rollout };
  if (args.skipAwait) {
    const end = isRolledOut(response, rollout) ? "active" : "not awaited";
    return { end, observed: response, rollout: identifyRevision(rollout, response) };
  }
  const waited = await waitForRollout(context, args.name, rollout, response);
  if (waited.end !== "active") return waited;
  return waitUntilReady(context, args, waited.observed).then(
    () => waited,
    (cause: unknown) => ({ ...waited, end: "stopped", cause }),
  );
}

/** Whether the response shows other values than were sent and may be stale, so that another read is needed. */
function isBehind(accepted: Accepted, before: State | undefined, observed: Observed): boolean {
  if (isShown(accepted, before, observed)) return false;
  const differing = differencesFrom(accepted.declared.arguments, observed);
  return differing.some(({ path }) => valueAt(accepted.sent, path) !== undefined);
}

/** Whether a response reflects the write, and is not stale. */
function isShown(
  { sent, makesRevision, previous }: Accepted,
  before: State | undefined,
  { latestRevisionId, updatedAt }: Observed,
): boolean {
  if (before === undefined || Object.keys(sent).length === 0) return true;
  if (makesRevision) return latestRevisionId !== null && !previous.includes(latestRevisionId);
  return updatedAt === null || updatedAt !== before.observed.updatedAt;
}

/** One more read of a response that may be stale. The write has succeeded, even if this read fails. */
async function readOnce(context: Context, last: Observed): Promise<Observed> {
  const next = await nextPoll(context, last.id).catch(() => undefined);
  return typeof next === "object" && !(next instanceof Error) ? next : last;
}

function writtenBy(accepted: Accepted, before: State | undefined, waited: Waited): Written {
  const { sent, makesRevision, response } = accepted;
  const { observed } = waited;
  const shown = isOthers(waited)
    ? undefined
    : [response, observed].find((each) => isShown(accepted, before, each));
  return { sent, makesRevision, shown, observed };
}

/** If there is no new revision, or someone else has made a newer one, no response shows what the service made of the write. */
function isOthers({ end, observed: { latestRevisionId: latest }, rollout }: Waited): boolean {
  if (end === "no revision") return true;
  if (rollout === undefined || rollout.revision === null || latest === null) return false;
  return ![rollout.revision, ...rollout.previous].includes(latest);
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
      "there is nothing to run yet, so this does not wait for a rollout. The first one begins with an upload, " +
        `or with ${missing}`,
    );
    return undefined;
  }
  return rolloutSince(observed, previous);
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
  const isThere = (values: unknown) => typeof valueAt(values, upload!.split(".")) === "string";
  return upload === undefined || isThere(declared) || isThere(observed) ? undefined : upload;
}

/** The rollout of a revision newer than the previous ones. */
export function rolloutSince({ latestRevisionId }: Observed, previous: readonly string[]): Rollout {
  // A stale response shows an earlier revision, which is not the one to wait for.
  const revision = latestRevisionId !== null && previous.includes(latestRevisionId) ? null : latestRevisionId;
  return { revision, previous };
}
