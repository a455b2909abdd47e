/** The revisions of a deployment, and the status of the latest one, on a service that reports them. */
import { WireRevision, WireRevisions } from "../../schema/wire";
import type { Clock } from "../time/clock";
import type { Observed } from "../deployment/service";
import { hasEnded, type Dialect } from "../dialects";
import type { Limits } from "../time/limits";
import { ControlPlaneError, isKind, transientKinds } from "../errors";
import type { ReadResults } from "./read-results";
import type { Http, Send } from "./http";
import { pageSize } from "./pagination";
import { fetchOne, fetchParsed, pathTo } from "./parse";
import type { Revision, Translator } from "./translate";

/** The most revisions that one poll requests. Success also shows in the list. */
const mostAtOnce = 20;

/** What is known of a revision, and when it was last requested; milliseconds since the epoch. */
interface Known {
  /** Id of its deployment. */
  readonly of: string;
  /** Null if there is no such revision: it may have been removed, or may not exist yet. Undefined if it could not be read. */
  readonly status?: string | null;
  readonly reason?: string | undefined;
  readonly at: number;
}

export class Revisions {
  readonly #known = new Map<string | null, Known>();

  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** Adds the latest revision's status. An active revision needs no request. */
  async complete(observed: Observed, limits?: Limits): Promise<Observed> {
    if (this.#isOpen(observed)) await this.#ask(observed, this.http.sender(limits));
    return this.#withStatus(observed);
  }

  /** Adds the latest revisions' statuses, those first that were asked for longest ago; of the others, the last known ones. */
  async follow(found: ReadResults, limits: Limits): Promise<void> {
    const at = ({ latestRevisionId }: Observed) => this.#known.get(latestRevisionId)?.at ?? 0;
    const all = found.known();
    const open = all.filter((each) => this.#isOpen(each)).sort((a, b) => at(a) - at(b));
    const asked = open.slice(0, mostAtOnce);
    const errors = new Map<Observed, Error>();
    await Promise.all(
      asked.map((each) =>
        this.#ask(each, this.http.sender(limits, true)).catch((error: unknown) => {
          // The next poll is early enough for a retry.
          if (!isKind(error, ...transientKinds)) errors.set(each, error as Error);
        }),
      ),
    );
    for (const each of all) found.set(each.id, errors.get(each) ?? this.#withStatus(each));
  }

  /** Whether only a request shows the status. */
  #isOpen({ id, latestRevisionId: latest, activeRevisionId: active }: Observed): boolean {
    if (this.dialect.paths.revision === undefined || id === "" || latest === null || latest === active)
      return false;
    return this.#known.get(latest)?.status !== this.dialect.revisionStatuses!.deployed;
  }

  async #ask({ id, latestRevisionId }: Observed, send: Send): Promise<void> {
    const revision_id = latestRevisionId!;
    const path = pathTo(this.dialect.paths.revision!, { id, revision_id });
    // Behind the others, even if this fails.
    this.#known.set(revision_id, { ...this.#known.get(revision_id), of: id, at: this.clock.now() });
    const revision = await fetchOne(send, WireRevision, { path });
    const status = revision?.status ?? null;
    const reason = revision?.status_message ?? undefined;
    this.#known.set(revision_id, { of: id, status, reason, at: this.clock.now() });
  }

  #withStatus(observed: Observed): Observed {
    const { id, latestRevisionId: latest, activeRevisionId: active } = observed;
    if (this.dialect.paths.revision === undefined || id === "") return observed;
    const { status, reason } = this.#known.get(latest) ?? {};
    const settled = latest === null ? null : this.dialect.revisionStatuses!.deployed;
    const latestRevisionStatus = latest === active || latest === null ? settled : status;
    if (latestRevisionStatus === undefined) return observed;
    const isQueued = status !== undefined && status === this.dialect.revisionStatuses!.queued;
    const before = isQueued ? this.#openBefore(observed) : undefined;
    return {
      ...observed,
      latestRevisionStatus,
      ...(reason && { latestRevisionReason: reason }),
      ...(before !== undefined && { queuedBehind: before }),
    };
  }

  /** The newest revision that had not ended when it was last asked for. */
  #openBefore({ id, latestRevisionId, activeRevisionId }: Observed): string | undefined {
    const isOpen = ({ of, status }: Known) => of === id && status && !hasEnded(status, this.dialect);
    const open = [...this.#known].filter(([, known]) => isOpen(known)).map(([revision]) => revision!);
    return open.findLast((each) => each !== latestRevisionId && each !== activeRevisionId);
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
        // The versions of the service have different paths; no version has all of them.
        if (!(error instanceof ControlPlaneError) || ![404, 405].includes(error.status ?? 0)) throw error;
        absent ??= error;
      }
    }
    throw absent;
  }
}
