import { clickChange, clickCreate, clickRemove, mustFind, type ChangeOptions } from "./control";
import { controlRoutes } from "./control-routes";
import { Faults, type Fault, type FaultHandle } from "./http/faults";
import { RequestLog, type LoggedRequest } from "./http/request-log";
import { listen } from "./http/server";
import type { JsonObject } from "./json";
import { addListener } from "./routes/listeners";
import type { Rules } from "./rules/rules";
import { standard } from "./rules/standard";
import { serve, type Inbound } from "./service";
import { systemClock, type Clock } from "./state/clock";
import { byNameOrId, type ControlPlane, type Host, type Settings } from "./state/control-plane";
import { Ids } from "./state/ids";
import type { DeploymentRecord } from "./state/record";
import { finishRollout, settle } from "./state/settle";

export interface EmulatorOptions extends Partial<Settings> {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly apiKey?: string;
  /** When set, the tenant header must hold it, as for a key that is good for several tenants. */
  readonly tenantId?: string;
  /** Ids of other tenants by their keys: with such a key only that tenant's deployments are seen and made. */
  readonly otherTenants?: Readonly<Record<string, string>>;
  /** False for an organization that does not have the service. */
  readonly enabled?: boolean;
  readonly rules?: Rules;
  readonly clock?: Clock;
  /** The same seed gives the same ids. */
  readonly seed?: number;
  /** The second repository listing, with `{integration_id}`; the rules may know it already. */
  readonly serviceReposPath?: string;
  /** Called for each request of the service when it is answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** What one tenant has. */
export interface Tenant {
  /** Copies of what the service remembers, in the order of creation. */
  deployments(): DeploymentRecord[];
  deployment(nameOrId: string): DeploymentRecord | undefined;
  /** As if somebody clicked: same validation, and the rollout is finished. Throws a Refusal. */
  create(body: JsonObject): DeploymentRecord;
  /** Drift: somebody changes the stored record. */
  change(
    nameOrId: string,
    mutate: (record: DeploymentRecord) => void,
    options?: ChangeOptions,
  ): DeploymentRecord;
  /** Gone at once. */
  remove(nameOrId: string): void;
  /** Ends the running rollout now, and well. */
  finish(nameOrId: string): DeploymentRecord;
}

export interface Emulator extends Tenant {
  readonly url: string;
  readonly apiKey: string;
  /** In the order of arrival; calls of the control routes are not in it. */
  readonly requests: readonly LoggedRequest[];
  /** `"POST /v2/deployments 201"` for each request. */
  requestLines(): string[];
  clearRequests(): void;
  /** The most requests that were without an answer at the same time since the last clearing. */
  readonly peakInFlight: number;

  /** The tenant of another key. */
  tenant(apiKey: string): Tenant;
  /** Names: each deployment made one, where the rules say so, and left it behind unless told otherwise. */
  tracingProjects(): string[];
  addTracingProject(name: string): void;
  removeTracingProject(name: string): void;
  /** Registers a listener for those namespaces, and gives its id. */
  listener(computeId: string, namespaces: readonly string[]): string;
  repositories(integrationId: string, repositories: readonly JsonObject[], host?: Host): void;
  /** Other scripts, answers of secrets or page order from now on; running rollouts keep theirs. */
  configure(settings: Partial<Settings>): void;
  fail(fault: Fault): FaultHandle;

  /** Forgets deployments and all else that is kept, faults and requests. The settings stay. */
  reset(): void;
  close(): Promise<void>;
}

const DEFAULT_KEY = "emulator-key";
const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000001";

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, apiKey = DEFAULT_KEY, tenantId, enabled = true, onRequest = () => {} } = options;
  const plane = createControlPlane(options);
  const { rules, clock, ids } = plane;
  const others = new Map(
    Object.entries(options.otherTenants ?? {}).map(([key, id]) => [key, planeBeside(plane, id)]),
  );
  // Ids of requests are their own series, so that a retry does not change the ids of deployments.
  const requestIds = new Ids(options.seed === undefined ? undefined : -1 - options.seed);
  const log = new RequestLog([rules.headers.apiKey], onRequest);
  const faults = new Faults();

  const reset = () => {
    for (const each of [plane, ...others.values()]) {
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
  const access = { apiKey, tenantId, enabled };
  const serveByKey = (inbound: Inbound) => {
    const key = String(inbound.headers[rules.headers.apiKey.toLowerCase()]);
    const other = others.get(key);
    if (other === undefined) return serve(plane, access, inbound);
    return serve(other, { apiKey: key, tenantId: undefined, enabled }, inbound);
  };
  const server = await listen(port, {
    log,
    faults,
    requestIdHeader: rules.headers.requestId,
    bodyTooLarge: rules.texts.bodyTooLarge,
    answerShape: answerShape(rules),
    now: () => clock.now(),
    nextRequestId: () => requestIds.uuid(),
    service: serveByKey,
    control: controlRoutes({ plane, access, log, faults, reset }),
  });

  return {
    url: server.url,
    apiKey,
    get requests() {
      return log.requests;
    },
    requestLines: () => log.lines(),
    clearRequests: () => log.clear(),
    get peakInFlight() {
      return log.peakInFlight;
    },
    ...tenantOf(plane),
    tenant: (key) => tenantOf(others.get(key)!),
    tracingProjects: () => [...plane.tracingProjects],
    addTracingProject: (name) => void plane.tracingProjects.add(name),
    removeTracingProject: (name) => void plane.tracingProjects.delete(name),
    listener: (compute_id, namespaces) =>
      addListener(plane, { compute_id, compute_config: { k8s_namespaces: [...namespaces] } }).id,
    repositories: (integrationId, repositories, host = "codehost") => {
      plane.repositories[host].set(integrationId.toLowerCase(), structuredClone([...repositories]));
    },
    configure: (settings) => void Object.assign(plane.settings, settings),
    fail: (fault) => faults.plan(fault),
    reset,
    close: () => server.close(),
  };
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
    finish: (nameOrId) => {
      const record = mustFind(plane, nameOrId);
      finishRollout(plane, record);
      return structuredClone(record);
    },
  };
}

/** Another tenant of the same service: it shares all but what is its own. */
function planeBeside(plane: ControlPlane, tenantId: string): ControlPlane {
  return { ...plane, tenantId, deployments: [], sequence: 0, tracingProjects: new Set(), listeners: [] };
}

function createControlPlane(options: EmulatorOptions): ControlPlane {
  const { rules = standard, clock = systemClock, seed, tenantId = DEFAULT_TENANT } = options;
  return {
    rules: withServicePath(rules, options.serviceReposPath),
    clock,
    ids: new Ids(seed),
    tenantId,
    settings: {
      rollout: options.rollout ?? rules.pace.rollout,
      deletion: options.deletion ?? rules.pace.deletion,
      database: options.database ?? rules.pace.database,
      secrets: options.secrets ?? "clear",
      pageOrder: options.pageOrder ?? "newest-first",
      normalizations: options.normalizations ?? [],
      lag: options.lag ?? 0,
      logs: options.logs ?? {},
    },
    deployments: [],
    sequence: 0,
    repositories: { codehost: new Map(), service: new Map() },
    tracingProjects: new Set(),
    listeners: [],
  };
}

function withServicePath(rules: Rules, path: string | undefined): Rules {
  if (path === undefined) return rules;
  return { ...rules, endpoints: { ...rules.endpoints, listServiceRepositories: { method: "GET", path } } };
}

/** An answer holds what a create request holds, alone or as the rows of a page. */
function answerShape({ requests: { create } }: Rules) {
  return { ...create, fields: { ...create.fields, resources: { kind: "list", of: create } as const } };
}
