/** The revisions of a deployment, and the status of the latest one, on a service that reports them. */
import { WireRevision, WireRevisions } from "../../schema/wire";
import type { Clock } from "../time/clock";
import type { Observed, Revision } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Limits } from "../time/limits";
import { ControlPlaneError, isKind, transientKinds } from "../errors";
import type { ReadResults } from "./read-results";
import type { Http, Send } from "./http";
import { pageSize } from "./pagination";
import { fetchOne, fetchParsed, pathTo } from "./parse";
import type { Translator } from "./translate";

/** The most revisions that one poll requests. Success also shows in the list. */
const mostAtOnce = 20;

/** The last known status of a revision, and when it was requested; milliseconds since the epoch. */
interface LastStatus {
  readonly status: string | null | undefined;
  readonly reason?: string | undefined;
  readonly at: number;
}

export class Revisions {
  readonly #last = new Map<string, LastStatus>();

  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** Adds the latest revision's status. An active revision needs no request. */
  async complete(observed: Observed, limits?: Limits): Promise<Observed> {
    const known = this.#known(observed);
    if (known !== "not known") return this.#withStatus(observed, known);
    return this.#withStatus(observed, await this.#ask(observed, this.http.sender(limits)));
  }

  /** Adds the latest revisions' statuses, those first that were asked for longest ago; of the others, the last known ones. */
  async follow(found: ReadResults, limits: Limits): Promise<void> {
    const open: Observed[] = [];
    for (const observed of found.known()) {
      const last = this.#lastOf(observed);
      const isDeployed = last === this.dialect.revisionStatuses?.deployed;
      const known = this.#known(observed);
      if (known === "not known" && !isDeployed) open.push(observed);
      else found.set(observed.id, this.#withStatus(observed, known === "not known" ? last : known));
    }
    const inTurn = open.sort((a, b) => this.#askedAt(a) - this.#askedAt(b));
    const asked = new Set(inTurn.slice(0, this.http.budget.pollSize(mostAtOnce)));
    await Promise.all(
      inTurn.map(async (observed) => {
        const status = asked.has(observed)
          ? await this.#tryAsk(observed, limits).catch((error: unknown) => error as Error)
          : this.#lastOf(observed);
        found.set(observed.id, status instanceof Error ? status : this.#withStatus(observed, status));
      }),
    );
  }

  /** The status if it needs no request; undefined if the service does not report any. */
  #known({ id, latestRevisionId, activeRevisionId }: Observed): string | null | undefined | "not known" {
    const { revisionStatuses, paths } = this.dialect;
    if (revisionStatuses === undefined || paths.revision === undefined) return undefined;
    if (id === "") return undefined;
    if (latestRevisionId === null) return null;
    return latestRevisionId === activeRevisionId ? revisionStatuses.deployed : "not known";
  }

  /** Null if there is no such revision: it may have been removed, or may not exist yet. */
  async #ask(observed: Observed, send: Send): Promise<string | null | undefined> {
    const revisionId = observed.latestRevisionId!;
    const path = pathTo(this.dialect.paths.revision!, { id: observed.id, revision_id: revisionId });
    try {
      const revision = await fetchOne(send, WireRevision, { path });
      const status = revision?.status ?? null;
      const reason = revision?.status_message ?? undefined;
      this.#last.set(revisionId, { status, reason, at: this.clock.now() });
      return status;
    } catch (error) {
      // Moves it behind the others, so that it is requested again soon.
      const last = this.#last.get(revisionId);
      this.#last.set(revisionId, { status: undefined, ...last, at: this.clock.now() });
      throw error;
    }
  }

  /** Asks once for the status of the latest revision. The next poll is early enough for a retry. */
  async #tryAsk(observed: Observed, limits: Limits): Promise<string | null | undefined> {
    return this.#ask(observed, this.http.sender(limits, true)).catch((error: unknown) => {
      if (isKind(error, ...transientKinds)) return this.#lastOf(observed);
      throw error;
    });
  }

  #lastOf({ latestRevisionId }: Observed): string | null | undefined {
    return this.#last.get(latestRevisionId!)?.status;
  }

  #askedAt({ latestRevisionId }: Observed): number {
    return this.#last.get(latestRevisionId!)?.at ?? 0;
  }

  #withStatus(observed: Observed, latestRevisionStatus: string | null | undefined): Observed {
    if (latestRevisionStatus === undefined) return observed;
    const latestRevisionReason = this.#last.get(observed.latestRevisionId ?? "")?.reason;
    return { ...observed, latestRevisionStatus, ...(latestRevisionReason && { latestRevisionReason }) };
  }
}

/** Requires a dialect with the path that a method uses. */
export class History {
  constructor(
    private readonly send: Send,
    private readonly dialect: Dialect,
    private readonly translator: Translator,
  ) {}

  /** The newest first, at most 100. Sends one request. */
  async newest(id: string): Promise<Revision[]> {
    const path = pathTo(this.dialect.paths.revisions!, { id });
    const query = { limit: String(pageSize) };
    const { resources } = await fetchParsed(this.send, WireRevisions, { path, query });
    const revisions = resources.map((each) => this.translator.revisionFromWire(each));
    return revisions.sort((a, b) => Date.parse(b.createdAt ?? "") - Date.parse(a.createdAt ?? "") || 0);
  }

  /** Undefined if there is no revision with this id. */
  async one(id: string, revisionId: string): Promise<Revision | undefined> {
    const path = pathTo(this.dialect.paths.revision!, { id, revision_id: revisionId });
    const found = await fetchOne(this.send, WireRevision, { path });
    return found && this.translator.revisionFromWire(found);
  }

  /** Interrupts a revision that has not finished. The service may refuse to interrupt one that has. */
  async interrupt(id: string, revisionId: string): Promise<void> {
    let absent: unknown;
    for (const path of this.dialect.paths.interruption!) {
      const target = pathTo(path, { id, revision_id: revisionId });
      try {
        await this.send({ method: "POST", path: target, idempotent: true });
        return;
      } catch (error) {
        // The versions of the service have different paths; none of them has all.
        if (!(error instanceof ControlPlaneError) || ![404, 405].includes(error.status ?? 0)) throw error;
        absent ??= error;
      }
    }
    throw absent;
  }
}
