/** How the latest revision of a deployment is doing, on a service that tells. */
import { WireRevision } from "../../schema/wire";
import type { Observed } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Http } from "./http";
import { pathTo } from "./path";
import { readOne } from "./understood";

export class Revisions {
  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
  ) {}

  /** The deployment with its latest revision's status. A revision that is active needs no request to be known. */
  async complete(observed: Observed): Promise<Observed> {
    const { latestRevisionId, activeRevisionId } = observed;
    const { revisionStatuses, paths } = this.dialect;
    if (revisionStatuses === undefined || paths.revision === undefined) return observed;
    if (latestRevisionId === null) return { ...observed, latestRevisionStatus: null };
    const isActive = latestRevisionId === activeRevisionId;
    const latestRevisionStatus = isActive
      ? revisionStatuses.deployed
      : await this.#statusOf(paths.revision, observed.id, latestRevisionId);
    return { ...observed, latestRevisionStatus };
  }

  /** Whether the latest revision was deployed after the deployment had answered, which so shows the one before as active. */
  isAhead({ latestRevisionId, activeRevisionId, latestRevisionStatus }: Observed): boolean {
    if (latestRevisionId === activeRevisionId || typeof latestRevisionStatus !== "string") return false;
    return latestRevisionStatus === this.dialect.revisionStatuses?.deployed;
  }

  /** The address of the log that tells why a revision came to this status. */
  logAddress(id: string, revisionId: string, status: string): string | undefined {
    const { revisionStatuses, paths } = this.dialect;
    const logs = revisionStatuses?.failed ?? {};
    if (paths.revisionLog === undefined || !Object.hasOwn(logs, status)) return undefined;
    const type = logs[status]!;
    return this.http.addressOf(pathTo(paths.revisionLog, { id, revision_id: revisionId, type }));
  }

  /** Null where there is no such revision: it may have been cleared away, or not be there yet. */
  async #statusOf(template: string, id: string, revisionId: string): Promise<string | null> {
    const path = pathTo(template, { id, revision_id: revisionId });
    return (await readOne(this.http, path, WireRevision))?.status ?? null;
  }
}
