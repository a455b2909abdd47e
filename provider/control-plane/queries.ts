/** Reads deployments: a page of the list, several by id, or one by its own path. */
import { readableRow, WireDeployment, WirePage } from "../../schema/wire";
import { isDeleting, type Observed } from "../deployment/service";
import type { Dialect } from "../dialects";
import { ControlPlaneError } from "../errors";
import { ReadResults } from "./read-results";
import type { Send } from "./http";
import { pageSize, sameId, type Page, type QueryParameters, type Entry } from "./pagination";
import type { PollRequest } from "./poller";
import type { Translator } from "./translate";
import { parseResponse, fetchOne, pathTo } from "./parse";
import type { ApiCall } from "./transport";

export class Queries {
  #listsDeleting = false;

  /** @param seen called with the tenant of each deployment in a response, malformed ones included */
  constructor(
    private readonly dialect: Dialect,
    private readonly translator: Translator,
    private readonly seen: (tenantId: string | null | undefined) => void,
  ) {}

  /** One page of the list, at most 100 deployments. */
  async page(send: Send, filters: QueryParameters, offset: number): Promise<Page> {
    const query = { ...filters, limit: String(pageSize), ...(offset > 0 && { offset: String(offset) }) };
    const path = this.dialect.paths.deployments;
    const call: ApiCall = { method: "GET", path, query, idempotent: true };
    const { body, serverTime } = await send(call);
    const { resources, offset: next } = parseResponse(WirePage, body, call);
    return {
      entries: resources.map((each, index) => this.#entry(each, index, call)),
      offset: next,
      serverTime,
    };
  }

  /** At most 100. Reading an id throws if its deployment is malformed, or if the response contains others instead. */
  async byIds(send: Send, ids: readonly string[]): Promise<ReadResults> {
    const { entries } = await this.page(send, { deployment_ids: ids.join(",") }, 0);
    const asked = new Set(ids.map(sameId));
    const found = new ReadResults();
    for (const { deployment, error } of entries)
      if (asked.has(sameId(deployment.id))) found.set(deployment.id, error ?? deployment);
    if (entries.some(({ deployment: { id } }) => !asked.has(sameId(id))))
      for (const id of ids) if (!found.has(id)) found.set(id, another(this.dialect.paths.deployments));
    return found;
  }

  /** Like `byIds`, and asks for each deployment that the list omits, unless the list shows those that are being deleted. */
  async polled(asked: readonly PollRequest[], once: Send, send: Send): Promise<ReadResults> {
    const ids = asked.map(({ id }) => id);
    const found = await this.byIds(once, ids);
    this.#listsDeleting ||= found.known().some(isDeleting);
    if (this.dialect.paths.readDeployment === undefined) return found;
    const isDeleted = ({ awaitsDeletion }: PollRequest) => awaitsDeletion && this.#listsDeleting;
    const unsure = asked.filter((each) => !found.has(each.id) && !isDeleted(each));
    await Promise.all(
      unsure.map(async ({ id }) => {
        const result = await this.one(send, id).catch((error: unknown) => error as Error);
        if (result !== undefined) found.set(id, result);
      }),
    );
    return found;
  }

  /** GETs one deployment, in a dialect that has the path. Undefined if there is none. */
  async one(send: Send, id: string): Promise<Observed | undefined> {
    const path = pathTo(this.dialect.paths.readDeployment!, { id });
    const found = await fetchOne(send, WireDeployment, { path });
    if (found !== undefined && sameId(found.id) !== sameId(id)) throw another(path);
    return found && this.observed(found);
  }

  observed(wire: WireDeployment): Observed {
    this.seen(wire.tenant_id);
    return this.translator.fromWire(wire);
  }

  #entry(given: unknown, index: number, call: ApiCall): Entry {
    try {
      return { deployment: this.observed(parseResponse(WireDeployment, given, call, ["resources", index])) };
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      return { deployment: this.observed(readableRow(given)), error };
    }
  }
}

function another(path: string): ControlPlaneError {
  const request = `GET ${path}`;
  const message = `${request} returned a different deployment than requested`;
  return new ControlPlaneError(message, { kind: "foreign", request, isAmbiguous: false });
}
