/**
 * Waits for a rollout, until the deployment is READY and the revision that the call produced is active, or a newer one of someone
 * else's. It fails at once when the revision fails, or when the deployment is being deleted or no longer exists. Responses may lag, so
 * each state that may be an older one gets a few more polls.
 */
import { ControlPlaneError, DeletedError, DeploymentError, type ErrorKind, isKind } from "../errors";
import { type End, waitUntil, within } from "../time/limits";
import type { Context } from "./context";
import { identifyRevision, isLatestNew, isRolledOut, outcomeOf } from "./awaited-revision";
import { isDeleting, type Observed, type PollOptions } from "./service";
import { failedRevision } from "./revision-log";
import { RolloutProgress } from "./wait-progress";
import * as texts from "./wait-messages";
import type { Rollout } from "./private-state";

/** A stale list may omit a deployment. It counts as deleted only after this many polls. */
const pollsUntilMissing = 3;
/** A new deployment that no poll has shown yet counts as deleted only after this many. */
const pollsUntilListed = 10;
/** How many polls a deployment may lag behind its revisions. */
const pollsUntilFinal = 5;
/** If no new revision appears within this many polls, the accepted change may not have made one. */
const pollsUntilRevision = 10;

/** A deployment with one of these is still being rolled out; `""` stands for no status. */
export const waitingStatuses = ["AWAITING_DATABASE", "UNKNOWN", ""];

/** Whether the latest revision is active, while the deployment has an unknown status. */
function unknownButActive({ status, latestRevisionId, activeRevisionId }: Observed): "unknown" | undefined {
  const isActive = latestRevisionId !== null && latestRevisionId === activeRevisionId;
  return isActive && status !== "READY" && !waitingStatuses.includes(status) ? "unknown" : undefined;
}

/** How a wait ended, and the last response. */
export interface Waited {
  /**
   * - `no revision`: no new revision appeared;
   * - `not awaited`: `skipAwait` is set, and it is not active yet;
   * - `stopped`: the revision cannot become active, or did not in time.
   */
  readonly end: "active" | "no revision" | "not awaited" | "stopped";
  readonly observed: Observed;
  readonly rollout: Rollout | undefined;
  /** Why it stopped. */
  readonly cause?: unknown;
}

/**
 * Waits until the revision is active. Never fails: the result contains the error.
 *
 * @param last the response to the write that began the rollout
 */
export async function waitForRollout(context: Context, begun: Rollout, last: Observed): Promise<Waited> {
  const { log, timeout, dialect } = context;
  const progress = new RolloutProgress(context);
  let observed = last;
  let rollout = identifyRevision(begun, observed);
  let polled = 0;
  let missing = 0;
  /** How many polls in a row had the same outcome. */
  let standing = 1;
  const outcomeIn = (each: Observed) =>
    isLatestNew(each, rollout) ? (outcomeOf(each, dialect) ?? unknownButActive(each)) : undefined;

  /** The condition of the wait, for the last response. */
  const ends = async (): Promise<"active" | "no revision" | undefined> => {
    if (isRolledOut(observed, rollout)) {
      const { activeRevisionId: active, latestRevisionId: latest } = observed;
      const isOurs = rollout.revision === null || [active, latest].includes(rollout.revision);
      progress.end(isOurs ? (rollout.revision ?? latest) : latest);
      if (!isOurs) log.warning(texts.overtaken(rollout, observed));
      return "active";
    }
    if (isDeleting(observed)) throw new DeploymentError(texts.deletingText(observed));
    const outcome = outcomeIn(observed);
    if (outcome === "failed") throw await failedRevision(context, rollout, observed);
    if (outcome !== undefined && standing >= pollsUntilFinal) {
      const why =
        outcome === "unknown" ? texts.statusUnknown(observed) : texts.rolloutEnded(rollout, observed);
      if (outcome === "stopped" || observed.activeRevisionId === null) throw new DeploymentError(why);
      log.warning(why);
      return "active";
    }
    const mayBeUnmade = rollout.revision === null && rollout.previous.length > 0;
    return mayBeUnmade && polled >= pollsUntilRevision ? "no revision" : undefined;
  };

  const next = (shown: Observed | undefined) => {
    missing = shown === undefined ? missing + 1 : 0;
    // The list may not show a new deployment yet.
    const isUnseen = polled === 0 && rollout.previous.length === 0;
    if (missing >= (isUnseen ? pollsUntilListed : pollsUntilMissing))
      throw isUnseen ? new DeploymentError(texts.notListed) : new DeletedError();
    if (shown === undefined) return undefined;
    standing = outcomeIn(shown) === outcomeIn(observed) ? standing + 1 : 1;
    observed = shown;
    rollout = identifyRevision(rollout, shown);
    polled++;
    return ends();
  };

  try {
    const show = (failure?: ControlPlaneError) => progress.show(rollout, observed, failure);
    const first = await ends();
    const { end, failure } =
      first === undefined ? await pollUntil(context, last.id, next, show) : { end: first };
    if (end === "interrupted") throw new DeploymentError(texts.rolloutInterrupted(rollout, observed));
    if (end === "out of time")
      throw new DeploymentError(texts.rolloutOutOfTime(rollout, observed, timeout, failure));
    return { end, observed, rollout };
  } catch (cause) {
    return { end: "stopped", observed, rollout, cause };
  } finally {
    progress.end();
  }
}

const beyondWaiting: readonly ErrorKind[] = [
  "unauthorized",
  "forbidden",
  "untrusted",
  "redirected",
  "invalid",
  "proxy",
];

/**
 * Polls a deployment until the condition holds, or the limits end. Returns the error of the last poll too, if that failed.
 *
 * @param condition how the wait ends with a response, which is undefined if there is no such deployment
 * @param show called before each poll, with the error of the last one
 */
export async function pollUntil<R>(
  context: Context,
  id: string,
  condition: (shown: Observed | undefined) => R | undefined | Promise<R | undefined>,
  show: (failure: ControlPlaneError | undefined) => void,
  options: Pick<PollOptions, "awaitsDeletion"> = {},
): Promise<{ end: R | End; failure?: ControlPlaneError | undefined }> {
  const { service, clock } = context;
  let failure: ControlPlaneError | undefined;
  const end = await waitUntil<R | End>(clock, context, async () => {
    show(failure);
    const polled = await within(clock, context, (signal) =>
      service.poll(id, { ...options, signal }).catch((error: unknown) => {
        // The network may fail temporarily during a long wait, so only permanent errors end it.
        if (error instanceof ControlPlaneError && !beyondWaiting.includes(error.kind)) return error;
        throw error;
      }),
    );
    if ("end" in polled) return polled.end;
    const { value } = polled;
    // The error of an earlier poll is more useful, unless the service asks to wait for longer than there is time.
    if (isKind(value, "out-of-time")) {
      if (clock.now() >= context.deadline) return "out of time";
      throw failure?.with({}, `${failure.message}; the next ${value.message}`) ?? value;
    }
    failure = value instanceof ControlPlaneError ? value : undefined;
    return value instanceof ControlPlaneError ? undefined : condition(value);
  });
  return { end, failure };
}
