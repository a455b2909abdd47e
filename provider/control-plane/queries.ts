/** Reads deployments: a page of the list, several by id, or one by its own path. */
import { readableRow, WireDeployment, WirePage } from "../../schema/wire";
import type { Observed } from "../deployment/service";
import type { Dialect } from "../dialects";
import { ControlPlaneError } from "../errors";
import { ReadResults } from "./read-results";
import type { Send } from "./http";
import { pageSize, sameId, type Entries, type QueryParameters } from "./pagination";
import type { Translator } from "./translate";
import { parseResponse, fetchOne, pathTo } from "./parse";
import type { ApiCall } from "./transport";

export interface Page extends Entries {
  /** All entries in order, malformed ones as far as they can be read. */
  readonly rows: readonly Observed[];
  readonly malformed: readonly MalformedDeployment[];
  readonly serverTime: number | undefined;
}

export interface MalformedDeployment {
  readonly id: unknown;
  readonly name: unknown;
  readonly error: ControlPlaneError;
  /** As far as it can be read. */
  readonly row: Observed;
}

export class Queries {
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
    const read = resources.map((each, index) => this.#read(each, index, call));
    return {
      deployments: read.filter((each): each is Observed => !("error" in each)),
      rows: read.map((each) => ("error" in each ? each.row : each)),
      malformed: read.filter((each): each is MalformedDeployment => "error" in each),
      offset: next,
      ids: resources.map((each) => (each as { id?: unknown } | null)?.id),
      serverTime,
    };
  }

  /** At most 100. Reading an id throws if its deployment is malformed, or if the response contains others instead. */
  async byIds(send: Send, ids: readonly string[]): Promise<ReadResults> {
    const { deployments, malformed } = await this.page(send, { deployment_ids: ids.join(",") }, 0);
    const asked = new Set(ids.map(sameId));
    const isAskedFor = (id: unknown) => typeof id === "string" && asked.has(sameId(id));
    const found = new ReadResults(deployments.filter(({ id }) => isAskedFor(id)));
    const others = [...deployments, ...malformed].some(({ id }) => !isAskedFor(id));
    for (const { id, error } of malformed) if (isAskedFor(id)) found.set(id as string, error);
    for (const id of ids)
      if (others && !found.has(id)) found.set(id, another(this.dialect.paths.deployments));
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

  #read(given: unknown, index: number, call: ApiCall): Observed | MalformedDeployment {
    try {
      return this.observed(parseResponse(WireDeployment, given, call, ["resources", index]));
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      const { id, name } = (given ?? {}) as { id?: unknown; name?: unknown };
      return { id, name, error, row: this.observed(readableRow(given)) };
    }
  }
}

function another(path: string): ControlPlaneError {
  const request = `GET ${path}`;
  const message = `${request} returned a different deployment than requested`;
  return new ControlPlaneError(message, { kind: "foreign", request, isAmbiguous: false });
}
