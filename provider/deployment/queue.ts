/** The queue of revisions, which are rolled out one after the other: finds the one that blocks the others. */
import type { Clock } from "../time/clock";
import type { Dialect } from "../dialects";
import { formatDuration } from "../time/duration";
import type { Context } from "./context";
import { hasEnded } from "./revision-outcome";
import type { Observed, Revision } from "./service";

/** The oldest revision that has not ended, in a list that begins with the newest. Those older than the active one block nothing. */
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
export function ageText({ status, createdAt }: Revision, clock: Pick<Clock, "now">): string {
  const age = clock.now() - Date.parse(createdAt ?? "");
  return age >= 0 ? `${status}, ${formatDuration(age)} old` : status;
}

/** How often to fetch the other revisions while one is queued; milliseconds. */
const interval = 60_000;

/** Finds what blocks the latest revision of a deployment. Best effort: it delays nothing and never fails. */
export class Queue {
  #askedAt = -Infinity;
  #first: Revision | undefined;

  constructor(private readonly context: Context) {}

  /** The revision that blocks the latest one, from the last fetch. */
  firstBefore(observed: Observed): Revision | undefined {
    if (!this.#isQueued(observed)) return undefined;
    return this.#first?.id === observed.latestRevisionId ? undefined : this.#first;
  }

  /** Fetches it, unless that was done recently. Resolves to the blocking revision if it has changed. */
  async ask(observed: Observed, signal: AbortSignal): Promise<Revision | undefined> {
    const { clock, dialect, service } = this.context;
    const isDue = clock.now() - this.#askedAt >= interval;
    if (!isDue || dialect.paths.revisions === undefined || !this.#isQueued(observed)) return undefined;
    const revisions = await service.revisionsSoFar(observed.id, signal).catch(() => []);
    if (revisions === undefined) return undefined;
    this.#askedAt = clock.now();
    const first = firstInQueue(revisions, observed.activeRevisionId, dialect);
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
