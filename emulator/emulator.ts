import { clickChange, clickCreate, clickRemove, mustFind, type ChangeOptions } from "./control/actions";
import { handleControl } from "./control/routes";
import { APPS_PREFIX, serveApp } from "./apps";
import { dialects, type DialectName } from "./dialects";
import { Faults, type Fault, type FaultHandle } from "./http/faults";
import { RequestLog, type LoggedRequest } from "./http/request-log";
import { listen } from "./http/server";
import type { Json, JsonObject } from "./json";
import type { HttpResponse } from "./routes/handler";
import { addListener } from "./routes/listeners";
import type { Rules } from "./rules/rules";
import { plant, type Seed } from "./seed";
import { serve, type Access, type Inbound } from "./service";
import { systemClock, type Clock } from "./state/clock";
import { byNameOrId, type ControlPlane, type Host, type Settings } from "./state/control-plane";
import { StateFile } from "./state/file";
import { Ids } from "./state/ids";
import type { DeploymentRecord } from "./state/record";
import { setRepositories } from "./state/repositories";
import type { Failing } from "./state/script";
import { finishRollout, holdRollout, settle } from "./state/settle";
import { restore, snapshotOf } from "./state/snapshot";

export interface EmulatorOptions extends Partial<Settings> {
  /** What the service speaks: `standard`, the default, or `langsmith`. */
  readonly dialect?: DialectName;
  /** Ignores unknown keys, and asks for no more than older and newer clients send. Default: false. */
  readonly lenient?: boolean;
  /** What the service holds from the beginning. A `state` file that is there already counts instead. */
  readonly seed?: Seed;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on, default `127.0.0.1`. With any other, everybody who reaches it can read what is kept. */
  readonly host?: string;
  /** The key that callers must send, default `emulator-key`. */
  readonly apiKey?: string;
  /** When set, the tenant header must hold it, as for a key that is good for several tenants. */
  readonly tenantId?: string;
  /** Ids of other tenants by their keys: with such a key only that tenant's deployments are seen and made. */
  readonly otherTenants?: Readonly<Record<string, string>>;
  /** False for an organization that does not have the service. */
  readonly enabled?: boolean;
  /** A file that keeps the state over restarts; made where it is not there yet. Default: in memory only. */
  readonly state?: string;
  /** Rules of another service of the family, in place of a dialect's. */
  readonly rules?: Rules;
  /** Default: the system's. A `VirtualClock` stands still until it is told to go on. */
  readonly clock?: Clock;
  /** The same number gives the same ids. Default: random ones. */
  readonly idSeed?: number;
  /** The path of the second repository listing, with `{integration_id}`; the rules may know it already. */
  readonly serviceReposPath?: string;
  /** Called for each request of the service when its response is sent. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** What one tenant has. Names and ids that are not there throw a `Refusal`, as do bodies that the service refuses. */
export interface Tenant {
  /** Copies of what the service remembers, in the order of creation. */
  deployments(): DeploymentRecord[];
  deployment(nameOrId: string): DeploymentRecord | undefined;
  /** As if somebody clicked: same validation, and the rollout is finished. */
  create(body: JsonObject): DeploymentRecord;
  /** Drift: somebody changes the stored record. */
  change(
    nameOrId: string,
    mutate: (record: DeploymentRecord) => void,
    options?: ChangeOptions,
  ): DeploymentRecord;
  /** Deleted at once. */
  remove(nameOrId: string): void;
  /**
   * The running rollout goes no further, until `finish`. For later ones: `configure({ rollout: "never" })`. Later revisions
   * wait behind one that is `stuck`.
   */
  hold(nameOrId: string, how?: "never" | "stuck"): DeploymentRecord;
  /** Ends the running rollout now: well, or with `{ fails: true }` badly. */
  finish(nameOrId: string, ending?: Failing): DeploymentRecord;
}

/** A running emulator: an HTTP server with its state, and the means to change it behind a program's back. */
export interface Emulator extends Tenant {
  /** Where it listens: `http://127.0.0.1:40001`. */
  readonly url: string;
  readonly apiKey: string;
  /** All that the service was asked, in the order of arrival; calls of the control routes are not in it. */
  requests(): readonly LoggedRequest[];
  /** `"POST /v2/deployments 201"` for each request. */
  requestLines(): string[];
  clearRequests(): void;
  /** The most requests that were without a response at the same time since the last clearing. */
  readonly peakInFlight: number;

  /** The tenant of another key. */
  tenant(apiKey: string): Tenant;
  /** Adds all of it or, where something is wrong, nothing: then it throws a `Refusal`. */
  seed(seed: Seed): void;
  /** Names: each deployment made one, where the rules say so, and left it behind unless told otherwise. */
  tracingProjects(): string[];
  addTracingProject(name: string): void;
  removeTracingProject(name: string): void;
  /** Registers a listener for those namespaces, and gives its id. */
  listener(computeId: string, namespaces: readonly string[]): string;
  /** What a listing of repositories answers for that integration. */
  repositories(integrationId: string, repositories: readonly JsonObject[], host?: Host): void;
  /** Other scripts, how secrets are shown or page order from now on; running rollouts keep theirs. */
  configure(settings: Partial<Settings>): void;
  /** The archive that was uploaded last for a deployment, gzipped. Not kept over restarts. */
  uploaded(nameOrId: string): Buffer | undefined;
  /** Lets the next requests fail: `fail({ when: { method: "POST" }, how: { status: 503 } })`. */
  fail(fault: Fault): FaultHandle;

  /** Forgets deployments and all else that is kept, faults and requests. The settings stay. */
  reset(): void;
  /** Ends every connection, and resolves when nothing of it is left running. May be called twice. */
  close(): Promise<void>;
}

const DEFAULT_KEY = "emulator-key";
const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000001";

/**
 * Starts an emulator of the deployment service, on a loopback address unless told otherwise.
 *
 * ```ts
 * const emulator = await startEmulator({ latency: 20, rollout: { polls: 2 } });
 * // … run a program with DEPLOYMENT_SERVICE_URL = emulator.url, DEPLOYMENT_SERVICE_API_KEY = emulator.apiKey
 * expect(emulator.deployments()).toMatchObject([{ name: "chat", status: "READY" }]);
 * await emulator.close();
 * ```
 *
 * Rejects with a `Refusal` for a seed that the service would refuse, with a `StateFileError` for a state file that
 * cannot be used, and with the system's error where it cannot listen.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", apiKey = DEFAULT_KEY, tenantId, enabled = true } = options;
  const { dialect = "standard", onRequest = () => {} } = options;
  const plane = createControlPlane(options, dialect);
  const { rules, clock, ids } = plane;
  const own: Access = { apiKey, tenantId, enabled };
  const others = new Map(
    Object.entries(options.otherTenants ?? {}).map(([key, id]) => [key, planeBeside(plane, id)]),
  );
  const planes = [plane, ...others.values()];
  // Ids of requests are their own series, so that a retry does not change the ids of deployments.
  const requestIds = new Ids(options.idSeed === undefined ? undefined : -1 - options.idSeed);
  const log = new RequestLog([rules.headers.apiKey], onRequest);
  const faults = new Faults();

  const file = options.state === undefined ? undefined : new StateFile(options.state);
  const kept = file?.read(dialect);
  if (kept !== undefined) restore(planes, kept);
  else if (options.seed !== undefined) seed(plane, options.seed);
  const save = () => file?.write(snapshotOf(dialect, planes));
  // A file that cannot be written is better known now than after the first request.
  save();

  const reset = () => {
    for (const each of planes) {
      each.deployments = [];
      each.sequence = 0;
    }
    ids.restart();
    for (const repositories of Object.values(plane.repositories)) repositories.clear();
    plane.tracingProjects.clear();
    plane.listeners = [];
    faults.clear();
    log.clear();
  };
  /** Whose the key of a request is; the main tenant where it is nobody's. */
  const planeFor = (inbound: Inbound): { plane: ControlPlane; access: Access } => {
    const key = String(inbound.headers[rules.headers.apiKey.toLowerCase()]);
    const other = others.get(key);
    if (other === undefined) return { plane, access: own };
    return { plane: other, access: { apiKey: key, tenantId: undefined, enabled } };
  };
  const saved = (handler: (inbound: Inbound) => HttpResponse) => (inbound: Inbound) => {
    const response = handler(inbound);
    save();
    return response;
  };
  const server = await listen(port, host, {
    log,
    faults,
    requestIdHeader: rules.headers.requestId,
    bodyTooLarge: rules.texts.bodyTooLarge,
    largestUpload: rules.largestUpload ?? 0,
    responseShape: responseShape(rules),
    now: () => clock.now(),
    latency: () => plane.settings.latency,
    requestsPerSecond: () => plane.settings.requestsPerSecond,
    nextRequestId: () => requestIds.uuid(),
    service: saved((inbound) => {
      if (inbound.path.startsWith(APPS_PREFIX)) return serveApp(planes, inbound);
      const { plane, access } = planeFor(inbound);
      return serve(plane, access, inbound);
    }),
    control: saved((inbound) => {
      const { plane, access } = planeFor(inbound);
      return handleControl({ plane, log, faults, reset }, access, inbound);
    }),
  });

  for (const each of planes) each.appsAt = server.url + APPS_PREFIX;

  return {
    url: server.url,
    apiKey,
    requests: () => [...log.requests],
    requestLines: () => log.lines(),
    clearRequests: () => log.clear(),
    get peakInFlight() {
      return log.peakInFlight;
    },
    ...tenantOf(plane),
    tenant: (key) => tenantOf(others.get(key)!),
    seed: (more) => seed(plane, more),
    tracingProjects: () => [...plane.tracingProjects],
    addTracingProject: (name) => void plane.tracingProjects.add(name),
    removeTracingProject: (name) => void plane.tracingProjects.delete(name),
    listener: (compute_id, namespaces) =>
      addListener(plane, { compute_id, compute_config: { k8s_namespaces: [...namespaces] } }).id,
    repositories: (integrationId, repositories, from = "codehost") =>
      setRepositories(plane, from, integrationId, repositories),
    uploaded: (nameOrId) => {
      const places = mustFind(plane, nameOrId).uploads ?? [];
      return places.flatMap(({ id }) => plane.uploads.get(id) ?? []).at(-1);
    },
    configure: (settings) => void Object.assign(plane.settings, settings),
    fail: (fault) => faults.plan(fault),
    reset,
    close: async () => {
      await server.close();
      save();
    },
  };
}

function seed(plane: ControlPlane, given: Seed): void {
  plant(plane, given as Json);
}

function tenantOf(plane: ControlPlane): Tenant {
  return {
    deployments: () => {
      settle(plane);
      return structuredClone(plane.deployments);
    },
    deployment: (nameOrId) => {
      settle(plane);
      return structuredClone(byNameOrId(plane, nameOrId));
    },
    create: (body) => structuredClone(clickCreate(plane, body)),
    change: (nameOrId, mutate, change) => structuredClone(clickChange(plane, nameOrId, mutate, change)),
    remove: (nameOrId) => clickRemove(plane, nameOrId),
    hold: (nameOrId, how) => {
      const record = mustFind(plane, nameOrId);
      holdRollout(record, how);
      return structuredClone(record);
    },
    finish: (nameOrId, ending) => {
      const record = mustFind(plane, nameOrId);
      finishRollout(plane, record, ending);
      return structuredClone(record);
    },
  };
}

/** Another tenant of the same service: it shares all but what is its own. */
function planeBeside(plane: ControlPlane, tenantId: string): ControlPlane {
  return { ...plane, tenantId, deployments: [], sequence: 0, tracingProjects: new Set(), listeners: [] };
}

function createControlPlane(options: EmulatorOptions, dialect: DialectName): ControlPlane {
  const { lenient = false, clock = systemClock, idSeed, tenantId = DEFAULT_TENANT } = options;
  const rules: Rules = options.rules ?? dialects[dialect][lenient ? "lenient" : "strict"];
  return {
    rules: withServicePath(rules, options.serviceReposPath),
    clock,
    ids: new Ids(idSeed),
    tenantId,
    settings: {
      rollout: options.rollout ?? rules.pace.rollout,
      deletion: options.deletion ?? rules.pace.deletion,
      database: options.database ?? rules.pace.database,
      secrets: options.secrets ?? "clear",
      pageOrder: options.pageOrder ?? "newest-first",
      normalizations: options.normalizations ?? [],
      lag: options.lag ?? 0,
      latency: options.latency ?? 0,
      requestsPerSecond: options.requestsPerSecond ?? 0,
      logs: options.logs ?? {},
      apps: options.apps ?? false,
    },
    deployments: [],
    sequence: 0,
    uploads: new Map(),
    repositories: { codehost: new Map(), service: new Map() },
    tracingProjects: new Set(),
    listeners: [],
    appsAt: "",
  };
}

function withServicePath(rules: Rules, path: string | undefined): Rules {
  if (path === undefined) return rules;
  return { ...rules, endpoints: { ...rules.endpoints, listServiceRepositories: { method: "GET", path } } };
}

/** A response holds what a create request holds, alone or as the rows of a page. */
function responseShape({ requests: { create } }: Rules) {
  return { ...create, fields: { ...create.fields, resources: { kind: "list", of: create } as const } };
}
