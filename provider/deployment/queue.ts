/** Revisions are rolled out one after the other: which one holds up those behind it, and since when. */
import type { Clock } from "../clock";
import type { Dialect } from "../dialects";
import { formatDuration } from "../duration";
import type { Context, Observed, Revision } from "./service";

export type RevisionOutcome = "failed" | "deployed" | "stopped" | "skipped";

/** How a revision has ended; undefined while it is on its way, and on a service that does not say. */
export function outcomeOfRevision(
  status: string,
  { revisionStatuses: known }: Dialect,
): RevisionOutcome | undefined {
  if (known === undefined) return undefined;
  if (Object.hasOwn(known.failed, status)) return "failed";
  if (status === known.stopped) return "stopped";
  if (status === known.skipped) return "skipped";
  return status === known.deployed ? "deployed" : undefined;
}

/** Whether a revision has ended, well or badly. */
export function hasEnded({ status }: Pick<Revision, "status">, dialect: Dialect): boolean {
  return outcomeOfRevision(status, dialect) !== undefined;
}

/**
 * The oldest revision that has not ended. What is older than the active revision holds nothing up.
 *
 * @param revisions the newest first
 */
export function firstInQueue(
  revisions: readonly Revision[],
  activeRevisionId: string | null,
  dialect: Dialect,
): Revision | undefined {
  const active = revisions.findIndex(({ id }) => id === activeRevisionId);
  const since = active === -1 ? revisions : revisions.slice(0, active);
  return since.findLast((each) => !hasEnded(each, dialect));
}

/** `DEPLOYING, 12m old` */
export function ageOf({ status, createdAt }: Revision, clock: Pick<Clock, "now">): string {
  const age = clock.now() - Date.parse(createdAt ?? "");
  return age >= 0 ? `${status}, ${formatDuration(age)} old` : status;
}

/** In milliseconds: while a revision is queued, this is how often the others are asked for. */
const interval = 60_000;

/** What the latest revision of a deployment waits behind. Best effort: nothing waits for it, and no error comes of it. */
export class Queue {
  #askedAt = -Infinity;
  #first: Revision | undefined;

  constructor(private readonly context: Context) {}

  /** The revision that holds the latest one up, as far as it was asked for. */
  firstBefore(observed: Observed): Revision | undefined {
    if (!this.#isQueued(observed)) return undefined;
    return this.#first?.id === observed.latestRevisionId ? undefined : this.#first;
  }

  /** Asks for it, unless it was asked for a short time ago. Resolves to it if the answer is news. */
  async ask(observed: Observed, signal: AbortSignal): Promise<Revision | undefined> {
    const { clock, dialect, service } = this.context;
    if (!this.#isQueued(observed)) {
      this.#askedAt = -Infinity;
      this.#first = undefined;
      return undefined;
    }
    if (dialect.paths.revisions === undefined || clock.now() - this.#askedAt < interval) return undefined;
    this.#askedAt = clock.now();
    const revisions = await service.revisionsSoFar(observed.id, signal).catch(() => []);
    if (revisions === undefined) this.#askedAt = -Infinity;
    const first = firstInQueue(revisions ?? [], observed.activeRevisionId, dialect);
    if (first === undefined) return undefined;
    const isNews = first.id !== this.#first?.id || first.status !== this.#first.status;
    this.#first = first;
    return isNews ? this.firstBefore(observed) : undefined;
  }

  #isQueued({ latestRevisionStatus: status }: Observed): boolean {
    const queued = this.context.dialect.revisionStatuses?.queued;
    return queued !== undefined && status === queued;
  }
}
