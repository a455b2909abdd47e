/** Asking for deployments: a page of the list, some by their ids, one by itself. */
import { WireDeployment, WirePage, WireTenants } from "../../schema/wire";
import type { Observed } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import { ControlPlaneError } from "../errors";
import { ReadResults, sameId } from "./read-results";
import { type ApiCall, type Http, pathTo } from "./http";
import { pageSize, type Entries } from "./pagination";
import type { Translator } from "./translate";
import { readOne, parseResponse } from "./parse";

type QueryParameters = Readonly<Record<string, string>>;

export interface Page extends Entries {
  /** Deployments that nobody understands. */
  readonly odd: readonly MalformedDeployment[];
  readonly serverTime: number | undefined;
}

export interface MalformedDeployment {
  readonly id: unknown;
  readonly name: unknown;
  readonly error: ControlPlaneError;
}

export class Queries {
  /** @param seen is told the tenant of each deployment that a response shows */
  constructor(
    private readonly http: Http,
    private readonly dialect: Dialect,
    private readonly translator: Translator,
    private readonly seen: (tenantId: string | null | undefined) => void,
  ) {}

  /** One page of the list, 100 at the most. */
  async page(filters: QueryParameters, offset: number, limits?: Limits, isOnce = false): Promise<Page> {
    const query = { ...filters, limit: String(pageSize), ...(offset > 0 && { offset: String(offset) }) };
    const call = this.#list(query, isOnce);
    const { body, serverTime } = await this.http.call(call, limits);
    const { resources, offset: next } = parseResponse(WirePage, body, call);
    const read = resources.map((each, index) => this.#read(each, index, call));
    return {
      deployments: read.filter((each): each is Observed => !("error" in each)),
      odd: read.filter((each): each is MalformedDeployment => "error" in each),
      offset: next,
      ids: resources.map((each) => (each as { id?: unknown } | null)?.id),
      serverTime,
    };
  }

  /** At most 100. An id whose deployment is malformed, or missing while others were answered, is an error when it is read. */
  async byIds(ids: readonly string[], limits?: Limits, isOnce = false): Promise<ReadResults> {
    const { deployments, odd } = await this.page({ deployment_ids: ids.join(",") }, 0, limits, isOnce);
    const asked = new Set(ids.map(sameId));
    const isAskedFor = (id: unknown) => typeof id === "string" && asked.has(sameId(id));
    const found = new ReadResults(deployments.filter(({ id }) => isAskedFor(id)));
    const others = deployments.some(({ id }) => !isAskedFor(id)) || odd.some(({ id }) => !isAskedFor(id));
    for (const { id, error } of odd) if (isAskedFor(id)) found.set(id as string, error);
    for (const id of ids)
      if (others && !found.has(id)) found.set(id, another(this.dialect.paths.deployments));
    return found;
  }

  /** By the path that only some dialects have. Undefined where there is none. */
  async one(id: string, limits?: Limits): Promise<Observed | undefined> {
    const path = pathTo(this.dialect.paths.readDeployment!, { id });
    const found = await readOne(this.http, path, WireDeployment, limits);
    if (found !== undefined && sameId(found.id) !== sameId(id)) throw another(path);
    return found && this.observed(found);
  }

  /** Whose deployments are on a plain page, however odd they are. */
  async tenants(): Promise<WireTenants> {
    const call = this.#list({ limit: String(pageSize) });
    return parseResponse(WireTenants, (await this.http.call(call)).body, call);
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
      return { id, name, error };
    }
  }

  #list(query: QueryParameters, isOnce = false): ApiCall {
    return { method: "GET", path: this.dialect.paths.deployments, query, idempotent: true, isOnce };
  }
}

function another(path: string): ControlPlaneError {
  const request = `GET ${path}`;
  const message = `${request} answered with another deployment than was asked for`;
  return new ControlPlaneError(message, { kind: "foreign", request, isAmbiguous: false });
}
