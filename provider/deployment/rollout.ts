/**
 * Waiting for a rollout.
 *
 * It is done when the deployment is READY and the revision that the call produced is the active one.
 * AWAITING_DATABASE, UNKNOWN and every status that nobody has heard of mean: keep waiting.
 * It has failed at once when the deployment is being deleted, or is gone.
 * When somebody's newer revision took over, that one is waited for: ours will never become active.
 */
import type { Clock } from "../clock";
import { ControlPlaneError, type ErrorKind } from "../control-plane/errors";
import { formatDuration } from "../duration";
import type { Context } from "./context";
import { DeploymentError, GoneError } from "./errors";
import type { Observed } from "./service";

/** While nothing changes, the user hears this often that the waiting goes on; milliseconds. */
const signOfLife = 30_000;
/** A list may lag behind a write; only a deployment that stays away is gone. */
const looksUntilGone = 3;

export interface Wait {
  readonly name: string;
  readonly id: string;
  /** The revision to wait for; null waits for whatever is the latest. */
  readonly revision: string | null;
  /** Revisions from before the call: an answer that lags behind shows them, and they are not what is waited for. */
  readonly previous: readonly string[];
  /** Gets every answer, so that what was seen last is known whatever happens. */
  readonly seen: (observed: Observed) => void;
}

export function isDeleting({ status }: Observed): boolean {
  return status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE";
}

/** Whether the rollout of a revision has ended well. */
export function isRolledOut(
  observed: Observed,
  { revision, previous }: Pick<Wait, "revision" | "previous">,
): boolean {
  const { status, activeRevisionId, latestRevisionId } = observed;
  if (status !== "READY" || activeRevisionId === null) return false;
  if (activeRevisionId === revision) return true;
  return activeRevisionId === latestRevisionId && !previous.includes(activeRevisionId);
}

/** Resolves once the revision is active; throws when it cannot become so, or not in time. */
export async function waitForRollout(context: Context, wait: Wait, last: Observed): Promise<void> {
  const { clock, log, timeout } = context;
  const started = clock.now();
  const elapsed = () => formatDuration(clock.now() - started);
  let observed = last;
  let missing = 0;
  const isTime = signsOfLife(clock);

  while (!isRolledOut(observed, wait)) {
    if (isDeleting(observed)) {
      throw new DeploymentError(`the deployment is being deleted (status ${observed.status})`);
    }
    if (isTime(observed.status)) log.progress(progressLine(wait, observed, elapsed(), timeout));
    const next = await nextLook(context, wait.id, started + timeout - clock.now());
    if (next === "out of time") throw new DeploymentError(outOfTime(wait, observed, timeout));
    if (next === "interrupted") throw new DeploymentError(interrupted(wait, observed));
    if (next === "unavailable") continue;
    missing = next === undefined ? missing + 1 : 0;
    if (missing >= looksUntilGone) {
      throw new GoneError();
    }
    if (next !== undefined) {
      observed = next;
      wait.seen(next);
    }
  }
  log.progress(`revision ${observed.activeRevisionId} is active (after ${elapsed()})`);
  warnIfOvertaken(context, wait, observed);
}

/** Says when it is time for a message: at once, when the status has changed, and then at intervals. */
export function signsOfLife(clock: Clock): (status: string) => boolean {
  let told = { status: "", at: 0 };
  return (status) => {
    const isTime = status !== told.status || clock.now() - told.at >= signOfLife;
    if (isTime) told = { status, at: clock.now() };
    return isTime;
  };
}

function warnIfOvertaken({ log }: Context, { name, revision }: Wait, observed: Observed): void {
  if (revision === null || observed.activeRevisionId === revision) return;
  log.warning(
    `${name}: revision ${revision} was overtaken by ${observed.activeRevisionId}, which is active now`,
  );
}

function progressLine({ revision }: Wait, { status }: Observed, elapsed: string, timeout: number): string {
  const target = revision === null ? "the first revision" : `revision ${revision}`;
  return `waiting for ${target} to become active (status ${status}, ${elapsed} of at most ${formatDuration(timeout)})`;
}

function outOfTime({ revision }: Wait, observed: Observed, timeout: number): string {
  return (
    `the rollout did not finish within ${formatDuration(timeout)}: revision ${revision ?? "(none yet)"} is not active, ` +
    `active is ${observed.activeRevisionId ?? "none"}, status ${observed.status}. The deployment exists and the rollout ` +
    "may still be going: the next `pulumi up` resumes waiting. The resource option `customTimeouts` gives it more time"
  );
}

function interrupted({ revision }: Wait, observed: Observed): string {
  return (
    `interrupted: revision ${revision ?? "(none yet)"} is not active yet, active is ` +
    `${observed.activeRevisionId ?? "none"}, status ${observed.status}. The deployment exists and its rollout goes on: ` +
    "the next `pulumi up` resumes waiting"
  );
}

const beyondWaiting: readonly ErrorKind[] = [
  "unauthorized",
  "forbidden",
  "untrusted",
  "redirected",
  "invalid",
];

type Look = Observed | undefined | "out of time" | "interrupted" | "unavailable";

/** A shared look, or the end of the time or of the user's patience, whichever comes first. */
export async function nextLook({ service, clock, signal }: Context, id: string, left: number): Promise<Look> {
  if (signal?.aborted) return "interrupted";
  if (left <= 0) return "out of time";
  const look = service.look(id).catch((error: unknown) => {
    // Half an hour of waiting meets bad moments of the network; only what waiting cannot mend ends it.
    if (error instanceof ControlPlaneError && !beyondWaiting.includes(error.kind)) return "unavailable";
    throw error;
  });
  const ended = new AbortController();
  const isOver = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
  const end = clock.sleep(left, isOver).then((): Look => (signal?.aborted ? "interrupted" : "out of time"));
  return Promise.race<Look>([look as Promise<Look>, end]).finally(() => ended.abort());
}
