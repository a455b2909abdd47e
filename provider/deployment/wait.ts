/**
 * Waiting for a rollout.
 *
 * It is done when the deployment is READY and the revision that the call produced is the active one.
 * AWAITING_DATABASE, UNKNOWN and every status that nobody has heard of mean: keep waiting.
 * It has failed at once when the revision has, when the deployment is being deleted, or does not exist any more.
 * When somebody's newer revision took over, that one is waited for: ours will never become active.
 * Where responses lag behind the call and still show the revision from before, a new one is waited for first, for so many polls.
 *
 * A service that tells of its revisions may say that one is deployed before the deployment names it as the active one,
 * or that it was stopped before the deployment names the newer one that took its place: both get a little time.
 */
import type { Clock } from "../clock";
import {
  ControlPlaneError,
  DeletedError,
  DeploymentError,
  type ErrorKind,
  isKind,
  messageOf,
} from "../errors";
import type { Dialect } from "../dialects";
import { formatDuration } from "../duration";
import { elapsed, endOf, within, type End } from "../limits";
import { type Context, isDeleting, type Observed, type PollOptions, type Revision } from "./service";
import { FailedRevisionError, lastWords, logOfFailure } from "./log";
import { WaitProgress } from "./progress";
import { outcomeOfRevision, Queue, type RevisionOutcome } from "./queue";
import * as texts from "./wait-messages";
import type { Rollout } from "./state";

/** While nothing changes, the user hears this often that the waiting goes on; milliseconds. */
const signOfLife = 30_000;
/** A list may lag behind a write; only a deployment that stays away is deleted. */
const pollsUntilMissing = 3;
/** The same for a deployment that no poll has shown yet. */
const pollsUntilListed = 10;
/** A deployment may be behind its revisions for a little while. */
const pollsUntilFinal = 5;
/** The revision of a change that was accepted appears within so many polls, or was perhaps never made. */
const pollsUntilRevision = 10;

/** Whether the rollout of a revision has ended well. */
export function isRolledOut(observed: Observed, wait: AwaitedRevision): boolean {
  const { status, activeRevisionId, latestRevisionId } = observed;
  if (status !== "READY") return false;
  if (activeRevisionId !== null && activeRevisionId === wait.revision) return true;
  return isLatestNew(observed, wait) && activeRevisionId === latestRevisionId;
}

type AwaitedRevision = Pick<Rollout, "revision" | "previous">;

/** Whether the latest revision is the one that is waited for or a newer one; a response that lags behind shows an old one. */
function isLatestNew({ latestRevisionId }: Observed, { revision, previous }: AwaitedRevision): boolean {
  if (latestRevisionId === null) return false;
  return latestRevisionId === revision || !previous.includes(latestRevisionId);
}

/** The same rollout with its revision, as soon as a response shows it. */
export function identifyRevision<T extends AwaitedRevision>(rollout: T, observed: Observed): T {
  const isNew = rollout.revision === null && isLatestNew(observed, rollout);
  return isNew ? { ...rollout, revision: observed.latestRevisionId } : rollout;
}

/** What a name and a rollout say in messages about it. */
export type NamedRollout = AwaitedRevision & { readonly name: string };

/** How a wait ended, with what was seen last. */
export interface Waited {
  /** `no revision`: none appeared that is newer than those from before. */
  readonly end: "active" | "no revision";
  readonly observed: Observed;
  readonly rollout: Rollout | undefined;
}

/** The revision cannot become active, or did not in time. The cause says why. */
export class StoppedWaiting extends Error {
  override readonly name = "StoppedWaiting";

  constructor(
    override readonly cause: unknown,
    readonly seen: Pick<Waited, "observed" | "rollout">,
  ) {
    super(messageOf(cause));
  }
}

/**
 * Waits until the revision is active.
 *
 * @param name of the deployment, for messages
 * @param last the response to the write that began the rollout
 * @throws StoppedWaiting
 */
export async function waitForRollout(
  context: Context,
  name: string,
  begun: Rollout,
  last: Observed,
): Promise<Waited> {
  const { clock, log, timeout, dialect } = context;
  const time = () => formatDuration(elapsed(clock, context));
  const progress = new WaitProgress(context);
  const isTime = heartbeat(clock);
  const queue = new Queue(context);
  let observed = last;
  let rollout = identifyRevision(begun, observed);
  let polls = 0;
  let missing = 0;
  let failure: ControlPlaneError | undefined;
  /** In how many polls in a row the outcome was the same. */
  let standing = 1;
  const outcomeIn = (each: Observed) => (isLatestNew(each, rollout) ? outcomeOf(each, dialect) : undefined);

  try {
    while (!isRolledOut(observed, rollout)) {
      const wait = { name, ...rollout };
      if (isDeleting(observed))
        throw new DeploymentError(`the deployment is being deleted (status ${observed.status})`);
      const outcome = outcomeIn(observed);
      if (outcome === "failed") throw await failedRevision(context, wait, observed);
      if (outcome !== undefined && standing >= pollsUntilFinal) {
        if (outcome !== "deployed" && (outcome === "stopped" || observed.activeRevisionId === null))
          throw new DeploymentError(texts.rolloutStopped(wait, observed));
        const text = outcome === "deployed" ? texts.notNamedActive : texts.rolloutSkipped;
        log.warning(text(wait, observed));
        return { end: "active", observed, rollout };
      }
      const mayBeUnmade = wait.revision === null && wait.previous.length > 0;
      if (mayBeUnmade && polls >= pollsUntilRevision) return { end: "no revision", observed, rollout };

      if (isTime(`${texts.formatStatus(observed)} ${failure?.kind}`)) {
        const [passed, shown] = [time(), observed];
        const queued = (first: Revision) => texts.queued(wait, first, clock, passed, timeout);
        const first = failure === undefined ? queue.firstBefore(shown) : undefined;
        progress.tell(first ? queued(first) : texts.waitingForRollout(wait, shown, passed, timeout, failure));
        if (failure === undefined) {
          progress.showLog(shown, (line) => texts.building(shown, passed, timeout, line));
          progress.showQueue(queue, shown, queued);
        }
      }
      const next = await nextPoll(context, last.id);
      if (next === "interrupted") throw new DeploymentError(texts.rolloutInterrupted(wait, observed));
      failure = failureOf(next, failure, polls > 0);
      // A poll that cannot be answered in time is the last one.
      if (next === "out of time" || isKind(next, "out-of-time"))
        throw new DeploymentError(
          texts.rolloutOutOfTime(wait, observed, timeout, failure, queue.firstBefore(observed)),
        );
      if (next instanceof ControlPlaneError) continue;
      missing = next === undefined ? missing + 1 : 0;
      // The list may not show yet what was just created.
      const isUnseen = polls === 0 && wait.previous.length === 0;
      if (missing >= (isUnseen ? pollsUntilListed : pollsUntilMissing))
        throw isUnseen ? new DeploymentError(texts.notListed) : new DeletedError();
      if (next === undefined) continue;
      standing = outcomeIn(next) === outcome ? standing + 1 : 1;
      observed = next;
      rollout = identifyRevision(rollout, next);
      polls++;
    }
    const { activeRevisionId: active, latestRevisionId: latest } = observed;
    const isOurs = rollout.revision === null || [active, latest].includes(rollout.revision);
    progress.tell(`revision ${isOurs ? (rollout.revision ?? latest) : latest} is active (after ${time()})`);
    if (!isOurs) log.warning(texts.overtaken({ name, ...rollout }, observed));
    return { end: "active", observed, rollout };
  } catch (error) {
    throw new StoppedWaiting(error, { observed, rollout });
  } finally {
    progress.end();
  }
}

/** With the end of the log that tells why, if the service has one. */
async function failedRevision(context: Context, wait: NamedRollout, observed: Observed): Promise<Error> {
  const query = logOfFailure(observed, context.dialect);
  const message = texts.rolloutFailed(wait, observed, query && context.service.logAddress(query));
  return new FailedRevisionError(message, await lastWords(context, observed));
}

/** What became of the latest revision, on a service that tells; undefined while it is on its way. */
export function outcomeOf(
  { status, latestRevisionStatus }: Observed,
  dialect: Dialect,
): RevisionOutcome | undefined {
  if (typeof latestRevisionStatus !== "string") return undefined;
  const outcome = outcomeOfRevision(latestRevisionStatus, dialect);
  return outcome === "deployed" && status !== "READY" ? undefined : outcome;
}

/** Says when it is time for a message: at once, when the status has changed, and then at intervals. */
export function heartbeat(clock: Clock): (status: string) => boolean {
  let told = { status: "", at: 0 };
  return (status) => {
    const isTime = status !== told.status || clock.now() - told.at >= signOfLife;
    if (isTime) told = { status, at: clock.now() };
    return isTime;
  };
}

const beyondWaiting: readonly ErrorKind[] = [
  "unauthorized",
  "forbidden",
  "untrusted",
  "redirected",
  "invalid",
  "proxy",
];

/** Errors among these are retryable. */
type PollResult = Observed | undefined | End | ControlPlaneError;

/**
 * Why a poll showed nothing, if it did not. That its time was over says less than what went wrong before, and nothing
 * at all where polls before it were answered.
 */
export function failureOf(
  result: PollResult,
  before: ControlPlaneError | undefined,
  hadResponse: boolean,
): ControlPlaneError | undefined {
  if (result === "out of time") return before;
  if (!(result instanceof ControlPlaneError)) return undefined;
  if (!isKind(result, "out-of-time")) return result;
  return hadResponse ? before : (before ?? result);
}

/** A shared poll, or the end of the time or of the user's patience, whichever comes first. */
export async function nextPoll(context: Context, id: string, options: PollOptions = {}): Promise<PollResult> {
  const { service, clock } = context;
  const end = endOf(clock, context);
  if (end !== undefined) return end;
  const ended = new AbortController();
  const poll = service.poll(id, { ...options, signal: ended.signal }).catch((error: unknown) => {
    // Half an hour of waiting meets bad moments of the network; only what waiting cannot mend ends it.
    if (error instanceof ControlPlaneError && !beyondWaiting.includes(error.kind)) return error;
    throw error;
  });
  const polled = await within(clock, context, poll).finally(() => ended.abort());
  return "end" in polled ? polled.end : polled.value;
}
