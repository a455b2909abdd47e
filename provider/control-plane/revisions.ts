/** How the latest revision of a deployment is doing, on a service that tells. */
import { WireRevision } from "../../schema/wire";
import type { Clock } from "../clock";
import type { Observed } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import { isKind, transientKinds } from "../errors";
import type { ReadResults } from "./read-results";
import { type Http, pathTo } from "./http";
import { readOne } from "./parse";

/** A poll of many builds asks for so many of them: success also shows in the list. */
const mostAtOnce = 20;

/** What was answered about a revision the last time, and when; milliseconds since the epoch. */
interface LastStatus {
  readonly status: string | null | undefined;
  readonly reason?: string | undefined;
  readonly at: number;
}

export class Revisions {
  readonly #told = new Map<string, LastStatus>();

  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** The deployment with its latest revision's status. A revision that is active needs no request to be known. */
  async complete(observed: Observed, limits?: Limits): Promise<Observed> {
    const known = this.#known(observed);
    if (known !== "not known") return this.#withStatus(observed, known);
    return this.#withStatus(observed, await this.#ask(observed, limits, false));
  }

  /**
   * The same for deployments that are looked at again and again: only so many are asked for, those first that were
   * not for the longest time. For the others it is what was last told.
   */
  async follow(found: ReadResults, limits: Limits): Promise<void> {
    const open: Observed[] = [];
    for (const observed of found.known()) {
      const known = this.#known(observed);
      if (known !== "not known") found.set(observed.id, this.#withStatus(observed, known));
      else if (this.#hasEnded(observed))
        found.set(observed.id, this.#withStatus(observed, this.#lastOf(observed)));
      else open.push(observed);
    }
    const inTurn = open.sort((a, b) => this.#askedAt(a) - this.#askedAt(b));
    const asked = new Set(inTurn.slice(0, mostAtOnce));
    await Promise.all(
      inTurn.map(async (observed) => {
        const status = asked.has(observed)
          ? await this.#ask(observed, limits, true).catch((error: unknown) => error as Error)
          : this.#lastOf(observed);
        found.set(observed.id, status instanceof Error ? status : this.#withStatus(observed, status));
      }),
    );
  }

  /** What needs no request; undefined where the service does not tell. */
  #known({ latestRevisionId, activeRevisionId }: Observed): string | null | undefined | "not known" {
    const { revisionStatuses, paths } = this.dialect;
    if (revisionStatuses === undefined || paths.revision === undefined) return undefined;
    if (latestRevisionId === null) return null;
    return latestRevisionId === activeRevisionId ? revisionStatuses.deployed : "not known";
  }

  /** Null where there is no such revision: it may have been cleared away, or not be there yet. */
  async #ask(
    observed: Observed,
    limits: Limits | undefined,
    isOnce: boolean,
  ): Promise<string | null | undefined> {
    const revisionId = observed.latestRevisionId!;
    const path = pathTo(this.dialect.paths.revision!, { id: observed.id, revision_id: revisionId });
    try {
      const revision = await readOne(this.http, path, WireRevision, limits, isOnce);
      const status = revision?.status ?? null;
      const reason = revision?.status_message ?? undefined;
      this.#told.set(revisionId, { status, reason, at: this.clock.now() });
      return status;
    } catch (error) {
      // It is asked for again soon, after the others.
      this.#told.set(revisionId, {
        ...this.#told.get(revisionId),
        status: this.#lastOf(observed),
        at: this.clock.now(),
      });
      if (isOnce && isKind(error, ...transientKinds)) return this.#lastOf(observed);
      throw error;
    }
  }

  #hasEnded(observed: Observed): boolean {
    return this.#lastOf(observed) === this.dialect.revisionStatuses?.deployed;
  }

  #lastOf({ latestRevisionId }: Observed): string | null | undefined {
    return this.#told.get(latestRevisionId!)?.status;
  }

  #askedAt({ latestRevisionId }: Observed): number {
    return this.#told.get(latestRevisionId!)?.at ?? 0;
  }

  #withStatus(observed: Observed, latestRevisionStatus: string | null | undefined): Observed {
    if (latestRevisionStatus === undefined) return observed;
    const latestRevisionReason = this.#told.get(observed.latestRevisionId ?? "")?.reason;
    return { ...observed, latestRevisionStatus, ...(latestRevisionReason && { latestRevisionReason }) };
  }
}
