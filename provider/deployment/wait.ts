/**
 * Waits for a rollout.
 *
 * It succeeds when the deployment is READY and the revision that the call produced is the active one.
 * AWAITING_DATABASE, UNKNOWN and all other statuses mean: keep waiting.
 * It fails at once when the revision fails, or when the deployment is being deleted or no longer exists.
 * If someone else's newer revision supersedes ours, ours will never become active, so this waits for the newer one.
 * If stale responses still show the previous revision, this first waits for a new one, for a limited number of polls.
 *
 * A service that reports the status of revisions may show one as deployed before the deployment shows it as active, or as stopped
 * before the deployment shows the newer one that replaced it. Both get a few more polls.
 */
import { ControlPlaneError, DeletedError, DeploymentError, type ErrorKind, isKind } from "../errors";
import type { Dialect } from "../dialects";
import { endOf, isDone, within, type End } from "../limits";
import type { Context } from "./context";
import { isDeleting, type Observed, type PollOptions } from "./service";
import { FailedRevisionError, lastWords, logOfFailure } from "./log";
import { RolloutProgress } from "./progress";
import { outcomeOfRevision, type RevisionOutcome } from "./queue";
import * as texts from "./wait-messages";
import type { Rollout } from "./private-state";

/** A stale list may omit a deployment. It counts as deleted only after this many polls. */
const pollsUntilMissing = 3;
/** The same for a new deployment that no poll has shown yet. */
const pollsUntilListed = 10;
/** How many polls a deployment may lag behind its revisions. */
const pollsUntilFinal = 5;
/** If no new revision appears within this many polls, the accepted change may not have made one. */
const pollsUntilRevision = 10;

/** Whether the rollout of a revision has succeeded. */
export function isRolledOut(observed: Observed, wait: AwaitedRevision): boolean {
  const { status, activeRevisionId, latestRevisionId } = observed;
  if (status !== "READY") return false;
  if (activeRevisionId !== null && activeRevisionId === wait.revision) return true;
  return isLatestNew(observed, wait) && activeRevisionId === latestRevisionId;
}

type AwaitedRevision = Pick<Rollout, "revision" | "previous">;

/** Whether the latest revision is the awaited one or a newer one. Stale responses show an older one. */
function isLatestNew({ latestRevisionId }: Observed, { revision, previous }: AwaitedRevision): boolean {
  if (latestRevisionId === null) return false;
  return latestRevisionId === revision || !previous.includes(latestRevisionId);
}

/** Adds the revision to the rollout, if the response shows it. */
export function identifyRevision<T extends AwaitedRevision>(rollout: T, observed: Observed): T {
  const isNew = rollout.revision === null && isLatestNew(observed, rollout);
  return isNew ? { ...rollout, revision: observed.latestRevisionId } : rollout;
}

/** How a wait ended, and the last response. */
export interface Waited {
  /**
   * - `no revision`: no new revision appeared;
   * - `stopped`: the revision cannot become active, or did not in time.
   */
  readonly end: "active" | "no revision" | "stopped";
  readonly observed: Observed;
  readonly rollout: Rollout | undefined;
  /** Why it stopped. */
  readonly cause?: unknown;
}

/**
 * Waits until the revision is active.
 *
 * @param name of the deployment, for messages
 * @param last the response to the write that began the rollout
 */
export async function waitForRollout(
  context: Context,
  name: string,
  begun: Rollout,
  last: Observed,
): Promise<Waited> {
  const { log, timeout, dialect } = context;
  const polls = new Polls(context, last.id);
  const progress = new RolloutProgress(context);
  let observed = last;
  let rollout = identifyRevision(begun, observed);
  let polled = 0;
  let missing = 0;
  /** How many polls in a row had the same outcome. */
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
      if (mayBeUnmade && polled >= pollsUntilRevision) return { end: "no revision", observed, rollout };

      progress.show(wait, observed, polls.failure);
      const next = await polls.next();
      if (next === "interrupted") throw new DeploymentError(texts.rolloutInterrupted(wait, observed));
      if (next === "out of time") {
        const first = progress.firstBefore(observed);
        throw new DeploymentError(texts.rolloutOutOfTime(wait, observed, timeout, polls.failure, first));
      }
      if (next === "failed") continue;
      missing = next === undefined ? missing + 1 : 0;
      // The list may not show a new deployment yet.
      const isUnseen = polled === 0 && wait.previous.length === 0;
      if (missing >= (isUnseen ? pollsUntilListed : pollsUntilMissing))
        throw isUnseen ? new DeploymentError(texts.notListed) : new DeletedError();
      if (next === undefined) continue;
      standing = outcomeIn(next) === outcome ? standing + 1 : 1;
      observed = next;
      rollout = identifyRevision(rollout, next);
      polled++;
    }
    const { activeRevisionId: active, latestRevisionId: latest } = observed;
    const isOurs = rollout.revision === null || [active, latest].includes(rollout.revision);
    progress.end(isOurs ? (rollout.revision ?? latest) : latest);
    if (!isOurs) log.warning(texts.overtaken(rollout, observed));
    return { end: "active", observed, rollout };
  } catch (cause) {
    return { end: "stopped", observed, rollout, cause };
  } finally {
    progress.end();
  }
}

/** The error of a failed revision, with the last lines of its log if the service has one. */
async function failedRevision(
  context: Context,
  wait: texts.NamedRollout,
  observed: Observed,
): Promise<Error> {
  const query = logOfFailure(observed, context.dialect);
  const message = texts.rolloutFailed(wait, observed, query && context.service.logAddress(query));
  return new FailedRevisionError(message, await lastWords(context, observed));
}

/** How the latest revision ended; undefined while it is in progress, or if the service does not report it. */
export function outcomeOf(
  { status, latestRevisionStatus }: Observed,
  dialect: Dialect,
): RevisionOutcome | undefined {
  if (typeof latestRevisionStatus !== "string") return undefined;
  const outcome = outcomeOfRevision(latestRevisionStatus, dialect);
  return outcome === "deployed" && status !== "READY" ? undefined : outcome;
}

const beyondWaiting: readonly ErrorKind[] = [
  "unauthorized",
  "forbidden",
  "untrusted",
  "redirected",
  "invalid",
  "proxy",
];

/** Polls one deployment until the limits end. */
export class Polls {
  #failure: ControlPlaneError | undefined;
  #hasSeen = false;

  constructor(
    private readonly context: Context,
    private readonly id: string,
    private readonly options: PollOptions = {},
  ) {}

  /** Why the last poll failed, if it did. */
  get failure(): ControlPlaneError | undefined {
    return this.#failure;
  }

  /** `failed`: the next poll may succeed. */
  async next(): Promise<Observed | undefined | End | "failed"> {
    const result = await nextPoll(this.context, this.id, this.options);
    if (result === "interrupted" || result === "out of time") return result;
    if (isKind(result, "out-of-time")) {
      // The error of an earlier poll is more useful, and if earlier polls succeeded, this one means nothing.
      if (!this.#hasSeen) this.#failure ??= result;
      return "out of time";
    }
    const isFailed = result instanceof ControlPlaneError;
    this.#failure = isFailed ? result : undefined;
    if (isFailed) return "failed";
    this.#hasSeen ||= result !== undefined;
    return result;
  }
}

/** Errors among these are retryable. */
type PollResult = Observed | undefined | End | ControlPlaneError;

/** The next shared poll, or the end of the limits, whichever comes first. */
export async function nextPoll(context: Context, id: string, options: PollOptions = {}): Promise<PollResult> {
  const { service, clock } = context;
  const end = endOf(clock, context);
  if (end !== undefined) return end;
  const ended = new AbortController();
  const poll = service.poll(id, { ...options, signal: ended.signal }).catch((error: unknown) => {
    // The network may fail temporarily during a long wait, so only permanent errors end it.
    if (error instanceof ControlPlaneError && !beyondWaiting.includes(error.kind)) return error;
    throw error;
  });
  const polled = await within(clock, context, poll).finally(() => ended.abort(isDone));
  return "end" in polled ? polled.end : polled.value;
}
