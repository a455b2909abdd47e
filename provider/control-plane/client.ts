/** One method for each thing that the service can do. */
import type { Deployment } from "../../schema/deployment";
import { problemsOf, formatPath } from "../../schema/problems";
import type { DeploymentFilters, RepositoryHost } from "../../schema/filters";
import { WireDeployment, WirePage, WireRepositories } from "../../schema/wire";
import type { Clock } from "../clock";
import type { Repository } from "../deployment/repository";
import type { Observed, Patch, Service } from "../deployment/service";
import type { Dialect } from "../dialects";
import type { z } from "zod";
import { ControlPlaneError } from "./errors";
import type { Call, Http } from "./http";
import { nextOffset, pagesOf } from "./listing";
import { pageSize, Reader } from "./reader";
import { repositoriesFrom, repositoriesPath } from "./repositories";
import { Translator } from "./translate";
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
  readonly #reader: Reader;
  readonly #watch: Watch;

  constructor({ http, dialect, clock, pollInterval, serviceReposPath }: ClientOptions) {
    this.#http = http;
    this.#dialect = dialect;
    this.#serviceReposPath = serviceReposPath;
    this.#paths = dialect.paths;
    this.#translator = new Translator(dialect);
    const byIds = (ids: readonly string[]) => this.byIds(ids);
    this.#reader = new Reader({ byIds, page: (offset) => this.page({}, offset) }, clock);
    this.#watch = new Watch(byIds, clock, pollInterval);
  }

  async create(deployment: Deployment): Promise<Observed> {
    const body = this.#translator.createBody(deployment);
    const secrets = Object.values(deployment.secrets ?? {});
    return this.#write({ method: "POST", path: this.#paths.deployments, body, secrets, repeatable: false });
  }

  async update(id: string, patch: Patch): Promise<Observed> {
    const body = this.#translator.patchBody(patch);
    const secrets = Object.values(patch.secrets ?? {});
    const repeatable = patch.sourceRevisionConfig === undefined;
    return this.#write({ method: "PATCH", path: this.#pathOf(id), body, secrets, repeatable });
  }

  async delete(id: string): Promise<void> {
    await this.#writing(() =>
      this.#http.call({ method: "DELETE", path: this.#pathOf(id), repeatable: true }),
    );
  }

  read(id: string): Promise<Observed | undefined> {
    return this.#reader.read(id);
  }

  look(id: string): Promise<Observed | undefined> {
    return this.#watch.look(id);
  }

  /** By exact name; the service only filters by a part of it. */
  async find(name: string): Promise<{ deployment: Observed | undefined; serverTime: number | undefined }> {
    for (let offset = 0; ;) {
      const page = await this.page({ name_contains: name }, offset);
      const deployment = page.deployments.find((candidate) => candidate.name === name);
      const next = nextOffset(page, offset);
      if (deployment !== undefined || next === undefined) {
        return { deployment, serverTime: page.serverTime };
      }
      offset = next;
    }
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
    const query = { ...filters, limit: String(pageSize), ...(offset > 0 && { offset: String(offset) }) };
    const call: Call = { method: "GET", path: this.#paths.deployments, query, repeatable: true };
    const { body, serverTime } = await this.#http.call(call);
    const page = understood(WirePage, body, call);
    const deployments = page.resources.map((wire) => this.#translator.fromWire(wire));
    return { deployments, offset: page.offset, serverTime };
  }

  async #write(call: Call): Promise<Observed> {
    const { body } = await this.#writing(() => this.#http.call(call));
    return this.#translator.fromWire(understood(WireDeployment, body, call));
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

  #pathOf(id: string): string {
    return this.#paths.deployment.replace("{id}", encodeURIComponent(id));
  }
}

/** The answer in the expected shape; an answer of another shape leaves open what was done. */
function understood<T extends z.ZodType>(shape: T, body: unknown, call: Call): z.infer<T> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const [problem] = problemsOf(shape, body);
  const place = problem && formatPath(problem.path);
  const request = `${call.method} ${call.path}`;
  throw new ControlPlaneError(
    `${request} answered in a shape that is not the service's (${place || "the answer"}: ${problem?.message ?? "?"})`,
    { kind: "foreign", request, maybeDone: call.method !== "GET" },
  );
}
