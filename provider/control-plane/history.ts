/** The revisions of a deployment, on a service that lists them. */
import { WireRevision, WireRevisions } from "../../schema/wire";
import type { Revision } from "../deployment/service";
import type { Dialect } from "../dialects";
import { ControlPlaneError } from "../errors";
import type { Limits } from "../time/limits";
import type { Http } from "./http";
import { pageSize } from "./pagination";
import { fetchParsed, fetchOne } from "./parse";
import { pathTo } from "./request-path";
import type { Translator } from "./translate";

/** Requires a dialect with the path that a method uses. */
export class History {
  /** @param limits of the operation; without them, each call has the limits of a lookup */
  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
    private readonly translator: Translator,
    private readonly limits?: Limits,
  ) {}

  /** The newest first, at most 100. Sends one request. */
  async newest(id: string, isOnce = false): Promise<Revision[]> {
    const path = pathTo(this.dialect.paths.revisions!, { id });
    const query = { limit: String(pageSize) };
    const { resources } = await fetchParsed(this.http, WireRevisions, { path, query, isOnce }, this.limits);
    const revisions = resources.map((each) => this.translator.revisionFromWire(each));
    return revisions.sort((a, b) => Date.parse(b.createdAt ?? "") - Date.parse(a.createdAt ?? "") || 0);
  }

  /** Undefined if there is no revision with this id. */
  async one(id: string, revisionId: string): Promise<Revision | undefined> {
    const path = pathTo(this.dialect.paths.revision!, { id, revision_id: revisionId });
    const found = await fetchOne(this.http, WireRevision, { path }, this.limits);
    return found && this.translator.revisionFromWire(found);
  }

  /** Interrupts a revision that has not finished. The service may refuse to interrupt one that has. */
  async interrupt(id: string, revisionId: string): Promise<void> {
    let absent: unknown;
    for (const path of this.dialect.paths.interruption!) {
      const target = pathTo(path, { id, revision_id: revisionId });
      try {
        return void (await this.http.call({ method: "POST", path: target, idempotent: true }, this.limits));
      } catch (error) {
        // The versions of the service have different paths; none of them has all.
        if (!(error instanceof ControlPlaneError) || ![404, 405].includes(error.status ?? 0)) throw error;
        absent ??= error;
      }
    }
    throw absent;
  }
}
