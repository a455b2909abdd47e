/** Asking for deployments: a page of the list, some by their ids, one by itself. */
import { WireDeployment, WirePage, WireTenants } from "../../schema/wire";
import type { Observed } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import { ControlPlaneError } from "../errors";
import { ReadResults, sameId } from "./read-results";
import { type Call, type Http, pathTo } from "./http";
import { pageSize } from "./pagination";
import type { Translator } from "./translate";
import { onlyAskedFor, readOne, parseResponse } from "./parse";

type Query = Readonly<Record<string, string>>;

export interface Page {
  readonly deployments: Observed[];
  /** Deployments that nobody understands. */
  readonly odd: readonly Odd[];
  /** Where the next page begins. */
  readonly offset: number;
  /** Of all that is on the page, in its order. */
  readonly ids: readonly unknown[];
  readonly serverTime: number | undefined;
}

export interface Odd {
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
  async page(filters: Query, offset: number, limits?: Limits, isOnce = false): Promise<Page> {
    const query = { ...filters, limit: String(pageSize), ...(offset > 0 && { offset: String(offset) }) };
    const call = this.#list(query, isOnce);
    const { body, serverTime } = await this.http.call(call, limits);
    const { resources, offset: next } = parseResponse(WirePage, body, call);
    const read = resources.map((each, index) => this.#read(each, index, call));
    return {
      deployments: read.filter((each): each is Observed => !("error" in each)),
      odd: read.filter((each): each is Odd => "error" in each),
      offset: next,
      ids: resources.map((each) => (each as { id?: unknown } | null)?.id),
      serverTime,
    };
  }

  /** At most 100. One that nobody understands, or that was answered in place of another, says nothing of the others. */
  async byIds(ids: readonly string[], limits?: Limits, isOnce = false): Promise<ReadResults> {
    const { deployments, odd } = await this.page({ deployment_ids: ids.join(",") }, 0, limits, isOnce);
    const asked = new Set(ids.map(sameId));
    const isAskedFor = (id: unknown) => typeof id === "string" && asked.has(sameId(id));
    const found = new ReadResults(deployments.filter(({ id }) => isAskedFor(id)));
    const others = deployments.some(({ id }) => !isAskedFor(id)) || odd.some(({ id }) => !isAskedFor(id));
    for (const { id, error } of odd) if (isAskedFor(id)) found.set(id as string, error);
    for (const id of ids) if (others && !found.has(id)) found.set(id, this.#another());
    return found;
  }

  /** Undefined where there is none. */
  async one(id: string, limits?: Limits): Promise<Observed | undefined> {
    const wire = await this.wire(id, limits);
    return wire && this.observed(wire);
  }

  /** As the service answers it. */
  async wire(id: string, limits?: Limits): Promise<WireDeployment | undefined> {
    const { readDeployment } = this.dialect.paths;
    if (readDeployment === undefined) return this.#wireInList(id, limits);
    const path = pathTo(readDeployment, { id });
    const found = await readOne(this.http, path, WireDeployment, limits);
    return found && onlyAskedFor([found], [id], { method: "GET", path })[0];
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

  async #wireInList(id: string, limits?: Limits): Promise<WireDeployment | undefined> {
    const call = this.#list({ deployment_ids: id, limit: String(pageSize) });
    const { resources } = parseResponse(WirePage, (await this.http.call(call, limits)).body, call);
    return onlyAskedFor(
      resources.map((each, index) => parseResponse(WireDeployment, each, call, ["resources", index])),
      [id],
      call,
    )[0];
  }

  #read(given: unknown, index: number, call: Call): Observed | Odd {
    try {
      return this.observed(parseResponse(WireDeployment, given, call, ["resources", index]));
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      const { id, name } = (given ?? {}) as { id?: unknown; name?: unknown };
      return { id, name, error };
    }
  }

  #list(query: Query, isOnce = false): Call {
    return { method: "GET", path: this.dialect.paths.deployments, query, idempotent: true, isOnce };
  }

  #another(): ControlPlaneError {
    const request = `GET ${this.dialect.paths.deployments}`;
    const message = `${request} answered with another deployment than was asked for`;
    return new ControlPlaneError(message, { kind: "foreign", request, isAmbiguous: false });
  }
}
