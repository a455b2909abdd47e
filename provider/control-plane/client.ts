/** One method for each thing that the service can do. */
import type { Deployment } from "../../schema/deployment";
import type { DeploymentFilters, RepositoryHost } from "../../schema/filters";
import { WireDeployment, WirePage, WireRepositories, WireTenants } from "../../schema/wire";
import type { Clock } from "../clock";
import type { Repository } from "../deployment/repository";
import type { Observed, Patch, Service, Visible } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { Values } from "../deployment/values";
import type { Call, Http } from "./http";
import { pagesOf } from "./listing";
import { pageSize, Reader } from "./reader";
import { pathTo } from "./path";
import { repositoriesFrom, repositoriesPath } from "./repositories";
import { Revisions } from "./revisions";
import { withWhatOthersSet } from "./rewrite";
import { Translator } from "./translate";
import { onlyAskedFor, readOne, understood } from "./understood";
import { Visibility } from "./visibility";
import { Watch } from "./watch";

export interface ClientOptions {
  readonly http: Http;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** Before the first look at what is waited for, in milliseconds. */
  readonly pollInterval: number;
  /** The path of the second repository listing, where the dialect does not know it. */
  readonly serviceReposPath?: string | undefined;
}

export class Client implements Service {
  readonly #http: Http;
  readonly #dialect: Dialect;
  readonly #paths: Dialect["paths"];
  readonly #serviceReposPath: string | undefined;
  readonly #translator: Translator;
  readonly #revisions: Revisions;
  readonly #reader: Reader;
  readonly #watch: Watch;
  readonly #visibility: Visibility;

  constructor({ http, dialect, clock, pollInterval, serviceReposPath }: ClientOptions) {
    this.#http = http;
    this.#dialect = dialect;
    this.#serviceReposPath = serviceReposPath;
    this.#paths = dialect.paths;
    this.#translator = new Translator(dialect);
    this.#revisions = new Revisions(http, dialect);
    const byIds = (ids: readonly string[]) => this.byIds(ids);
    this.#reader = new Reader({ byIds, page: (offset) => this.page({}, offset) }, clock);
    this.#watch = new Watch(byIds, clock, pollInterval);
    this.#visibility = new Visibility(() => this.#tenants(), clock);
  }

  async create(deployment: Deployment): Promise<Observed> {
    const body = this.#translator.createBody(deployment);
    const secrets = Object.values(deployment.secrets ?? {});
    return this.#write({ method: "POST", path: this.#paths.deployments, body, secrets, repeatable: false });
  }

  async update(
    id: string,
    patch: Patch,
    { makesRevision }: { readonly makesRevision: boolean },
  ): Promise<Observed> {
    const places = this.#translator.rewritten;
    const sent = this.#translator.patchBody(patch);
    const body = await withWhatOthersSet(sent, places, () => this.#readWire(id));
    const secrets = Object.values(patch.secrets ?? {});
    const path = pathTo(this.#paths.deployment, { id });
    const observed = await this.#write({ method: "PATCH", path, body, secrets, repeatable: !makesRevision });
    // Of a revision that was just made there is nothing to tell yet, and a change that was made does not fail on this.
    return makesRevision ? observed : this.#revisions.complete(observed).catch(() => observed);
  }

  async delete(id: string, declared: Values, tenantId?: string | null): Promise<void> {
    const wanted = Object.entries(this.#dialect.deletion).filter(([name]) => declared[name] === true);
    const query = Object.fromEntries(wanted.map(([, parameter]) => [parameter, "true"]));
    const path = pathTo(this.#paths.deployment, { id });
    const call: Call = { method: "DELETE", path, repeatable: true, ...(wanted.length > 0 && { query }) };
    await this.#writing(() => this.#http.call(call));
    this.#visibility.noteWrite(tenantId);
  }

  sees(tenantId: string | null): Promise<Visible> {
    return this.#visibility.sees(tenantId);
  }

  async read(id: string): Promise<Observed | undefined> {
    return this.#confirmed(id, await this.#reader.read(id));
  }

  async look(id: string, signal?: AbortSignal): Promise<Observed | undefined> {
    const seen = await this.#confirmed(id, await this.#watch.look(id, signal));
    return seen !== undefined && this.#revisions.isAhead(seen) ? this.#readAlone(id) : seen;
  }

  logAddress(id: string, revisionId: string, status: string): string | undefined {
    return this.#revisions.logAddress(id, revisionId, status);
  }

  /** By exact name; the service only filters by a part of it. */
  async find(name: string): Promise<{ deployment: Observed | undefined; serverTime: number | undefined }> {
    let serverTime: number | undefined;
    const page = async (query: Readonly<Record<string, string>>, offset: number) => {
      const answer = await this.page(query, offset);
      ({ serverTime } = answer);
      return answer;
    };
    for await (const deployments of pagesOf(page, { nameContains: name })) {
      const deployment = deployments.find((candidate) => candidate.name === name);
      if (deployment !== undefined) return { deployment, serverTime };
    }
    return { deployment: undefined, serverTime };
  }

  async byIds(ids: readonly string[]): Promise<Observed[]> {
    const { deployments } = await this.page({ deployment_ids: ids.join(",") }, 0);
    return deployments;
  }

  /** Everything that fits, page by page, each asked for when it is wanted. */
  list(filters: DeploymentFilters): AsyncGenerator<Observed[], void> {
    return pagesOf((query, offset) => this.page(query, offset), filters);
  }

  async repositories(integrationId: string, host: RepositoryHost): Promise<Repository[]> {
    const path = repositoriesPath(this.#dialect, host, integrationId, this.#serviceReposPath);
    const call: Call = { method: "GET", path, repeatable: true };
    const { body } = await this.#http.call(call);
    return repositoriesFrom(understood(WireRepositories, body, call));
  }

  /** One page of the list, 100 at the most. */
  async page(filters: Readonly<Record<string, string>>, offset: number) {
    const { resources, ...page } = await this.#wirePage(filters, offset);
    return { ...page, deployments: resources.map((wire) => this.#observed(wire)) };
  }

  async #wirePage(filters: Readonly<Record<string, string>>, offset: number) {
    const query = { ...filters, limit: String(pageSize), ...(offset > 0 && { offset: String(offset) }) };
    const call: Call = { method: "GET", path: this.#paths.deployments, query, repeatable: true };
    const { body, serverTime } = await this.#http.call(call);
    const { resources, offset: next } = understood(WirePage, body, call);
    const ids = filters["deployment_ids"]?.split(",");
    return { resources: ids ? onlyAskedFor(resources, ids, call) : resources, offset: next, serverTime };
  }

  async #write(call: Call): Promise<Observed> {
    const { body } = await this.#writing(() => this.#http.call(call));
    return this.#observed(understood(WireDeployment, body, call));
  }

  #observed(wire: WireDeployment): Observed {
    this.#visibility.note(wire.tenant_id);
    return this.#translator.fromWire(wire);
  }

  /** A plain page of the list, for whose it is: one that nobody understands says nothing about the others. */
  async #tenants(): Promise<WireTenants> {
    const query = { limit: String(pageSize) };
    const call: Call = { method: "GET", path: this.#paths.deployments, query, repeatable: true };
    return understood(WireTenants, (await this.#http.call(call)).body, call);
  }

  /** What was read ahead is stale once a write began, and again once it ended. */
  async #writing<T>(write: () => Promise<T>): Promise<T> {
    this.#reader.forget();
    try {
      return await write();
    } finally {
      this.#reader.forget();
    }
  }

  /** What the list does not hold is gone, unless the service can be asked for it by itself and says otherwise. */
  async #confirmed(id: string, listed: Observed | undefined): Promise<Observed | undefined> {
    if (listed !== undefined) return this.#revisions.complete(listed);
    return this.#paths.readDeployment === undefined ? undefined : this.#readAlone(id);
  }

  async #readAlone(id: string): Promise<Observed | undefined> {
    const wire = await this.#readWire(id);
    return wire && this.#revisions.complete(this.#observed(wire));
  }

  async #readWire(id: string): Promise<WireDeployment | undefined> {
    const { readDeployment } = this.#paths;
    if (readDeployment === undefined) return (await this.#wirePage({ deployment_ids: id }, 0)).resources[0];
    const path = pathTo(readDeployment, { id });
    const found = await readOne(this.#http, path, WireDeployment);
    return found && onlyAskedFor([found], [id], { method: "GET", path })[0];
  }
}
