/**
 * Waiting for a rollout.
 *
 * It is done when the deployment is READY and the revision that the call produced is the active one, or is said to
 * be deployed by a service that tells of its revisions.
 * AWAITING_DATABASE, UNKNOWN and every status that nobody has heard of mean: keep waiting.
 * It has failed at once when the revision has, when the deployment is being deleted, or is gone.
 * When somebody's newer revision took over, that one is waited for: ours will never become active.
 */
import type { Clock } from "../clock";
import { ControlPlaneError, type ErrorKind } from "../control-plane/errors";
import type { Dialect } from "../dialects";
import { formatDuration } from "../duration";
import type { Context } from "./context";
import { DeploymentError, GoneError } from "./errors";
import * as texts from "./rollout-texts";
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
export function isRolledOut(observed: Observed, wait: Target, { revisionStatuses }: Dialect): boolean {
  const { status, activeRevisionId, latestRevisionId, latestRevisionStatus } = observed;
  if (status !== "READY") return false;
  if (activeRevisionId !== null && activeRevisionId === wait.revision) return true;
  if (!isLatestNew(observed, wait)) return false;
  return (
    activeRevisionId === latestRevisionId ||
    (revisionStatuses !== undefined && latestRevisionStatus === revisionStatuses.deployed)
  );
}

type Target = Pick<Wait, "revision" | "previous">;

/** Whether the latest revision is the one that is waited for or a newer one; an answer that lags behind shows an old one. */
function isLatestNew({ latestRevisionId }: Observed, { revision, previous }: Target): boolean {
  if (latestRevisionId === null) return false;
  return latestRevisionId === revision || !previous.includes(latestRevisionId);
}

/** Resolves once the revision is active; throws when it cannot become so, or not in time. */
export async function waitForRollout(context: Context, wait: Wait, last: Observed): Promise<void> {
  const { clock, log, timeout, dialect } = context;
  const started = clock.now();
  const elapsed = () => formatDuration(clock.now() - started);
  let observed = last;
  let missing = 0;
  let trouble: Error | undefined;
  const isTime = signsOfLife(clock);

  while (!isRolledOut(observed, wait, dialect)) {
    if (isDeleting(observed)) {
      throw new DeploymentError(`the deployment is being deleted (status ${observed.status})`);
    }
    const outcome = isLatestNew(observed, wait) ? outcomeOf(observed, dialect) : undefined;
    if (outcome === "failed")
      throw new DeploymentError(texts.failed(wait, observed, logOf(context, observed)));
    if (outcome === "overtaken") return log.warning(texts.skipped(wait, observed));

    if (isTime(texts.statusOf(observed))) log.progress(texts.underway(wait, observed, elapsed(), timeout));
    const next = await nextLook(context, wait.id, started + timeout - clock.now());
    if (next === "out of time") throw new DeploymentError(texts.outOfTime(wait, observed, timeout, trouble));
    if (next === "interrupted") throw new DeploymentError(texts.interrupted(wait, observed));
    trouble = next instanceof ControlPlaneError ? next : undefined;
    if (next instanceof ControlPlaneError) continue;
    missing = next === undefined ? missing + 1 : 0;
    if (missing >= looksUntilGone) {
      throw new GoneError();
    }
    if (next !== undefined) {
      observed = next;
      wait.seen(next);
    }
  }
  const { activeRevisionId: active, latestRevisionId: latest } = observed;
  const isOurs = wait.revision === null || [active, latest].includes(wait.revision);
  log.progress(`revision ${isOurs ? (wait.revision ?? latest) : latest} is active (after ${elapsed()})`);
  if (!isOurs) log.warning(texts.overtaken(wait, observed));
}

/** What became of the latest revision, on a service that tells. */
function outcomeOf(
  { latestRevisionStatus: status }: Observed,
  { revisionStatuses: known }: Dialect,
): "failed" | "overtaken" | undefined {
  if (known === undefined || typeof status !== "string") return undefined;
  if (Object.hasOwn(known.failed, status)) return "failed";
  return status === known.overtaken ? "overtaken" : undefined;
}

function logOf({ service }: Context, { id, latestRevisionId, latestRevisionStatus }: Observed) {
  return service.logAddress(id, latestRevisionId!, latestRevisionStatus!);
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

const beyondWaiting: readonly ErrorKind[] = [
  "unauthorized",
  "forbidden",
  "untrusted",
  "redirected",
  "invalid",
];

/** An error is one that waiting may mend. */
type Look = Observed | undefined | "out of time" | "interrupted" | ControlPlaneError;

/** A shared look, or the end of the time or of the user's patience, whichever comes first. */
export async function nextLook({ service, clock, signal }: Context, id: string, left: number): Promise<Look> {
  if (signal?.aborted) return "interrupted";
  if (left <= 0) return "out of time";
  const ended = new AbortController();
  const look = service.look(id, ended.signal).catch((error: unknown) => {
    // Half an hour of waiting meets bad moments of the network; only what waiting cannot mend ends it.
    if (error instanceof ControlPlaneError && !beyondWaiting.includes(error.kind)) return error;
    throw error;
  });
  const isOver = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
  const end = clock.sleep(left, isOver).then((): Look => (signal?.aborted ? "interrupted" : "out of time"));
  return Promise.race<Look>([look as Promise<Look>, end]).finally(() => ended.abort());
}
