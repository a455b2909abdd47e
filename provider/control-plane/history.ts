/** The revisions of a deployment, on a service that lists them. */
import { WireRevision, WireRevisions } from "../../schema/wire";
import type { Revision } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import { type ApiCall, type Http, pathTo } from "./http";
import { pageSize } from "./pagination";
import { parseResponse, readOne } from "./parse";
import type { Translator } from "./translate";

export class History {
  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
    private readonly translator: Translator,
  ) {}

  /** The newest first, at most 100. Sends one request. */
  async newest(id: string, limits?: Limits, isOnce = false): Promise<Revision[]> {
    const path = pathTo(this.dialect.paths.revisions!, { id });
    const query = { limit: String(pageSize) };
    const call: ApiCall = { method: "GET", path, query, idempotent: true, isOnce };
    const { body } = await this.http.call(call, limits);
    const revisions = parseResponse(WireRevisions, body, call).resources.map((each) =>
      this.translator.revisionFromWire(each),
    );
    return revisions.sort((a, b) => Date.parse(b.createdAt ?? "") - Date.parse(a.createdAt ?? "") || 0);
  }

  /** Undefined if there is no revision with this id. */
  async one(id: string, revisionId: string, limits?: Limits): Promise<Revision | undefined> {
    const path = pathTo(this.dialect.paths.revision!, { id, revision_id: revisionId });
    const found = await readOne(this.http, path, WireRevision, limits);
    return found && this.translator.revisionFromWire(found);
  }

  /** Interrupts a revision. A second call has no effect, or is refused. */
  async interrupt(id: string, revisionId: string, limits?: Limits): Promise<void> {
    const path = pathTo(this.dialect.paths.interruption!, { id, revision_id: revisionId });
    await this.http.call({ method: "POST", path, idempotent: true }, limits);
  }
}
