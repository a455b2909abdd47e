/** Waits for the rollout of an accepted write. */
import { valueAt } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { contentIn } from "./content";
import { DeploymentError, messageOf } from "../errors";
import { waitUntilReady } from "./ready";
import { recorded, type Written } from "./record";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { Rollout } from "./private-state";
import { type CheckedArguments, type State, UnfinishedError } from "./state";
import { identifyRevision, isRolledOut, nextPoll, waitForRollout, type Waited } from "./wait";

/** A write that the service accepted, by this run or an earlier one. Without a rollout, there is nothing to wait for. */
export type Accepted = Omit<Written, "end" | "observed" | "cause">;

/**
 * Waits for the rollout of an accepted write, if there is one to wait for, and records the state after it.
 *
 * @param before the state before the write; undefined for a new deployment
 * @throws UnfinishedError with the state, however the wait ends: the deployment exists
 */
export async function rollOut(
  context: Context,
  accepted: Accepted,
  before: State | undefined,
): Promise<State> {
  const written = { ...accepted, ...(await waitFor(context, accepted)) };
  const { end, cause, observed } = written;
  const first = recorded(written, before, context);
  const { state, warnings } = first.readAgain
    ? recorded({ ...written, observed: await readOnce(context, observed) }, before, context)
    : first;
  for (const warning of warnings) context.log.warning(warning);
  if (end === "stopped") throw new UnfinishedError(resumable(cause), observed.id, state, { cause });
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

/** One more read of a response that may be stale. The write has succeeded, even if this read fails. */
async function readOnce(context: Context, last: Observed): Promise<Observed> {
  const next = await nextPoll(context, last.id).catch(() => undefined);
  return typeof next === "object" && !(next instanceof Error) ? next : last;
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
