/** The service's operations, one method each. */
import type { Deployment } from "../../schema/deployment";
import type { DeploymentFilters } from "../../schema/filters";
import { WireDeployment } from "../../schema/wire";
import type { ControlPlaneError } from "../errors";
import type {
  ProbeResult,
  Archive,
  LogQuery,
  Observed,
  Patch,
  PollOptions,
  ReadOptions,
  Service,
} from "../deployment/service";
import { dashboardAt, type Dialect } from "../dialects";
import { serviceWord } from "../dialects/words";
import type { Values } from "../../schema/tree";
import { within, type Limits } from "../time/limits";
import { type PollRequest, Poller } from "./poller";
import { withoutResponse } from "./transport-error";
import { BatchReader } from "./batch-reader";
import type { Http, Send } from "./http";
import { History, Revisions } from "./revisions";
import { pagesOf, pageSize, type QueryParameters } from "./pagination";
import { isRefusedForMissingListener, Listings, withChoices } from "./listings";
import { Logs, type LogPage } from "./logs";
import { Queries } from "./queries";
import { Translator } from "./translate";
import { parseResponse, pathTo } from "./parse";
import type { ApiCall } from "./transport";
import { uploadArchive } from "./upload";
import { Visibility } from "./visibility";

/** State shared by all clients of a connection, whatever their limits. */
class Shared {
  readonly translator: Translator;
  readonly visibility: Visibility;
  readonly queries: Queries;
  readonly revisions: Revisions;
  readonly logs: Logs;
  /** For the progress of a wait. */
  isFetchingLog = false;
  readonly batchReader: BatchReader;
  readonly poller: Poller;

  constructor(http: Http) {
    const { clock, settings } = http;
    const { dialect, pollInterval, dashboard } = settings;
    this.translator = new Translator(dialect, dashboardAt(dialect, http.transport.addressOf(""), dashboard));
    this.visibility = new Visibility(() => this.queries.page(http.sender(), {}, 0));
    this.queries = new Queries(dialect, this.translator, (tenant) => this.visibility.note(tenant));
    this.revisions = new Revisions(http, dialect, clock);
    this.logs = new Logs(dialect);
    const byIds = (ids: readonly string[], limits: Limits) => this.queries.byIds(http.sender(limits), ids);
    const page = (offset: number, limits: Limits) => this.queries.page(http.sender(limits, true), {}, offset);
    this.batchReader = new BatchReader({ byIds, page }, clock);
    const poll = async (asked: readonly PollRequest[], limits: Limits) => {
      // Not retried: the next poll follows soon, and the caller can report the error at once.
      const found = await this.queries.polled(asked, http.sender(limits, true), http.sender(limits));
      await this.revisions.follow(found, limits);
      return found;
    };
    this.poller = new Poller(poll, clock, pollInterval);
  }
}

export class Client implements Service {
  readonly #dialect: Dialect;
  readonly #send: Send;
  readonly history: History;
  readonly listings: Listings;

  /** @param limits of the operation; without them, each call has the limits of a lookup */
  constructor(
    private readonly http: Http,
    private readonly shared = new Shared(http),
    private readonly limits?: Limits,
  ) {
    const { dialect, serviceReposPath } = http.settings;
    this.#dialect = dialect;
    this.#send = http.sender(limits);
    this.history = new History(this.#send, dialect, shared.translator);
    this.listings = new Listings(this.#send, dialect, serviceReposPath);
  }

  /** A client for one operation on this connection. Every wait ends at the limits. */
  within(limits: Limits): Client {
    return new Client(this.http, this.shared, limits);
  }

  afterDeadline(): Client {
    return this.within(this.http.limitsAfterDeadline(this.#bounds));
  }

  async create(deployment: Deployment): Promise<Observed> {
    const body = this.shared.translator.createBody(deployment);
    const path = this.#dialect.paths.deployments;
    const call: ApiCall = { method: "POST", path, body, idempotent: false };
    return this.#write(call).catch(async (error: unknown) => {
      throw isRefusedForMissingListener(error, this.#dialect) ? await this.#explained(error) : error;
    });
  }

  async update(
    id: string,
    patch: Patch,
    { makesRevision }: { readonly makesRevision: boolean },
  ): Promise<Observed> {
    const body = this.shared.translator.patchBody(patch);
    const path = pathTo(this.#dialect.paths.deployment, { id });
    const call: ApiCall = { method: "PATCH", path, body, idempotent: !makesRevision };
    const observed = await this.#writing(id, () => this.#write(call));
    // A new revision has no status yet.
    if (makesRevision) return observed;
    // The service has already accepted the change.
    return this.shared.revisions
      .complete(observed, this.http.limitsOfOneRequest(this.#bounds))
      .catch(() => observed);
  }

  async upload(id: string, archive: Archive): Promise<string> {
    const { archives, paths } = this.#dialect;
    const target = { id, path: paths.uploadAddress!, rules: archives! };
    return uploadArchive(this.http, target, archive, this.#bounds);
  }

  async delete(id: string, declared: Values, tenantId?: string | null): Promise<void> {
    const chosen = Object.entries(this.#dialect.deletion).filter(([name]) => declared[name] === true);
    const query = Object.fromEntries(chosen.map(([, parameter]) => [parameter, "true"]));
    const path = pathTo(this.#dialect.paths.deployment, { id });
    const call: ApiCall = { method: "DELETE", path, idempotent: true, ...(chosen.length > 0 && { query }) };
    await this.#writing(id, () => this.#send(call));
    this.shared.visibility.note(tenantId);
  }

  async seesTenant(tenantId: string | null): Promise<boolean> {
    const limits = this.#bounds;
    const seen = await within(this.http.clock, limits, () => this.shared.visibility.sees(tenantId));
    if ("end" in seen) throw withoutResponse(`GET ${this.#dialect.paths.deployments}`, seen.end, limits);
    return seen.value;
  }

  /** A deployment that is missing from the list was deleted, unless a GET of its own path still finds it. */
  async read(id: string, options?: ReadOptions): Promise<Observed | undefined> {
    const { queries, batchReader: reader, revisions } = this.shared;
    const limits = this.#bounds;
    const listed = await reader.read(id, limits, options);
    const isAlone = listed === undefined && this.#dialect.paths.readDeployment !== undefined;
    const observed = isAlone ? await queries.one(this.#send, id) : listed;
    return observed && revisions.complete(observed, limits);
  }

  poll(id: string, { signal, awaitsDeletion = false }: PollOptions = {}): Promise<Observed | undefined> {
    const limits = this.#bounds;
    return this.shared.poller.poll({ id, awaitsDeletion }, { ...limits, signal: signal ?? limits.signal });
  }

  probe(address: string, signal: AbortSignal): Promise<ProbeResult> {
    return this.http.probe(address, signal);
  }

  logAddress(query: LogQuery): string {
    return this.http.transport.addressOf(this.shared.logs.pathOf(query));
  }

  logTail(query: LogQuery): Promise<string> {
    return this.#tail(query, this.#bounds);
  }

  /** Of one deployment at a time: with many builds, only some show their output. */
  async logSoFar(query: LogQuery, signal: AbortSignal): Promise<string> {
    const { shared } = this;
    if (shared.isFetchingLog) return "";
    shared.isFetchingLog = true;
    const limits = { ...this.http.limitsOfOneRequest(this.#bounds), signal, tell: () => undefined };
    return this.#tail(query, limits).finally(() => (shared.isFetchingLog = false));
  }

  /** One page of a revision's log, the oldest line first. */
  async logPage(query: LogQuery, offset: string | undefined): Promise<LogPage> {
    const { lines, next } = await this.shared.logs.page(this.#send, query, offset);
    const shown = lines.map((line) => ({ ...line, message: this.http.withoutSecrets(line.message) }));
    return { lines: shown, next };
  }

  /** Adds the status of the latest revision, if the service reports it. */
  withRevision(observed: Observed): Promise<Observed> {
    return this.shared.revisions.complete(observed, this.#bounds);
  }

  /** Finds a deployment by its exact name. The service itself only filters by part of a name. */
  async find(name: string): Promise<{ deployment: Observed | undefined; serverTime: number | undefined }> {
    let serverTime: number | undefined;
    let unreadable: ControlPlaneError | undefined;
    const page = async (query: QueryParameters, offset: number) => {
      const response = await this.shared.queries.page(this.#send, query, offset);
      ({ serverTime } = response);
      return response;
    };
    for await (const entries of pagesOf(page, { nameContains: name })) {
      for (const { deployment, error } of entries) {
        if (error === undefined && deployment.name === name) return { deployment, serverTime };
        // Malformed deployments of other names do not matter here.
        if (["", name].includes(deployment.name)) unreadable ??= error;
      }
    }
    if (unreadable !== undefined) throw unreadable;
    return { deployment: undefined, serverTime };
  }

  async byIds(ids: readonly string[]): Promise<Observed[]> {
    return (await this.shared.queries.byIds(this.#send, ids)).all();
  }

  /** The first page of the list, by one request without a retry. */
  async firstPage() {
    const { entries, serverTime } = await this.shared.queries.page(
      this.http.sender(this.limits, true),
      {},
      0,
    );
    const deployments = entries.map(({ deployment }) => deployment);
    return { deployments, serverTime, isLast: entries.length < pageSize };
  }

  /** All deployments that match, page by page. Each page is fetched only when it is read. */
  async *list(filters: DeploymentFilters): AsyncGenerator<Observed[], void> {
    const type = serviceWord(filters.deploymentType, "sourceConfig.deploymentType", this.#dialect);
    const page = (query: QueryParameters, offset: number) =>
      this.shared.queries.page(this.#send, query, offset);
    // One odd record stops no listing.
    for await (const entries of pagesOf(page, { ...filters, deploymentType: type }))
      yield entries.map(({ deployment }) => deployment);
  }

  /** Never fails: without the listeners, the error is as clear as the service made it. */
  async #explained(error: ControlPlaneError): Promise<ControlPlaneError> {
    const send = this.http.sender(this.http.limitsOfOneRequest(this.#bounds));
    const found = await new Listings(send, this.#dialect).listeners().catch(() => undefined);
    return found === undefined ? error : withChoices(error, found);
  }

  async #tail(query: LogQuery, limits: Limits): Promise<string> {
    const send = this.http.sender(this.http.limitsOfOneRequest(limits), true);
    const lines = await this.shared.logs.tail(send, query);
    return this.http.withoutSecrets(lines.map(({ message }) => message).join("\n"));
  }

  get #bounds(): Limits {
    return this.limits ?? this.http.ownLimits();
  }

  async #write(call: ApiCall): Promise<Observed> {
    const { body } = await this.#send(call);
    return this.shared.queries.observed(parseResponse(WireDeployment, body, call));
  }

  /** What was read ahead of the deployment becomes stale when a write begins, and again when it ends. */
  async #writing<T>(id: string, write: () => Promise<T>): Promise<T> {
    const { batchReader: reader } = this.shared;
    reader.forget(id);
    try {
      return await write();
    } finally {
      reader.forget(id);
    }
  }
}
