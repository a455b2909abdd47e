import { APPS_PREFIX, serveApp } from "./apps";
import { handleControl } from "./control/routes";
import { tenantOf, type Tenant } from "./control/tenant";
import { Faults, type Fault, type FaultHandle } from "./http/faults";
import { RequestLog, type LoggedRequest } from "./http/request-log";
import { listen } from "./http/http-server";
import type { JsonObject } from "./json-values";
import { Refusal } from "./refusal";
import type { HttpResponse, Inbound } from "./routes/call";
import { dialects, type DialectName } from "./rules/dialects";
import { headers, type Rules } from "./rules/dialect-rules";
import { plant, type Seed } from "./seed";
import { keyOf, serve, type Access } from "./emulated-service";
import { systemClock, type Clock } from "./state/service-clock";
import { clear, createControlPlane, planeBeside, setRepositories } from "./state/control-plane";
import type { ControlPlane, Host, Settings } from "./state/control-plane";
import { StateFile } from "./state/file";
import { Ids } from "./state/ids";

export interface EmulatorOptions extends Partial<Settings> {
  /** Default: `standard`. */
  readonly dialect?: DialectName;
  /** What the service holds at the start. Ignored if the `state` file exists. */
  readonly seed?: Seed;
  /** Default: 0, which means any free port. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. At any other, whoever can connect and knows the key can read everything. */
  readonly host?: string;
  /**
   * The path below which alone the service answers, such as `/api-host`; elsewhere there is a web page. By default, it answers at
   * the root and, in dialect `langsmith`, below `/api-host` too.
   */
  readonly pathPrefix?: string;
  /** The key that callers must send. Default: `emulator-key`. */
  readonly apiKey?: string;
  /** If set, requests must name it in the tenant header, as with a key that is valid for several tenants. */
  readonly tenantId?: string;
  /** Ids of other tenants by key. Such a key sees and creates only its tenant's deployments. */
  readonly otherTenants?: Readonly<Record<string, string>>;
  /** A file that keeps the state between runs; created if it does not exist. Default: memory only. */
  readonly state?: string;
  /** Rules to use instead of a dialect's. */
  readonly rules?: Rules;
  /** Default: the system's. A `VirtualClock` stands still until it is advanced. */
  readonly clock?: Clock;
  /** The same number produces the same ids. Default: random ids. */
  readonly idSeed?: number;
  /** The path of the second repository listing, with `{integration_id}`. Default: the dialect's, if it has one. */
  readonly serviceReposPath?: string;
  /** Called when the response to a request is sent. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A running emulator: an HTTP server, its state, and the controls for tests. */
export interface Emulator extends Tenant {
  /** For example `http://127.0.0.1:40001`, with the path prefix if there is one. */
  readonly url: string;
  readonly apiKey: string;

  /** All requests to the service, in the order of arrival. Calls of control routes are not included. */
  requests(): readonly LoggedRequest[];
  /** The same as texts: `"POST /v2/deployments 201"`. */
  requestLines(): string[];
  clearRequests(): void;
  /** The most requests that were waiting for a response at the same time, since the last `clearRequests`. */
  readonly peakInFlight: number;

  /** Makes the next matching request fail: `fail({ when: { method: "POST" }, how: { status: 503 } })`. */
  fail(fault: Fault): FaultHandle;
  /** Changes settings from now on; running rollouts keep their script. */
  configure(settings: Partial<Settings>): void;

  /** Adds everything or, if something is wrong, nothing: then it throws a `Refusal`. */
  seed(seed: Seed): void;
  /** Sets the repositories that an integration lists. */
  repositories(integrationId: string, repositories: readonly JsonObject[], host?: Host): void;
  /** Names, for tests to change. In dialect `langsmith`, a deployment creates one that outlives it unless deleted with it. */
  readonly tracingProjects: Set<string>;
  /** The last archive that was uploaded for a deployment, gzipped. Lost on restart. */
  uploaded(nameOrId: string): Buffer | undefined;
  /** The tenant of another key. */
  tenant(apiKey: string): Tenant;

  /** Removes everything but the settings, including faults and requests. */
  reset(): void;
  /** Closes all connections, and resolves when nothing is left running. Can be called twice. */
  close(): Promise<void>;
}

const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000001";

/**
 * Starts an emulator of the deployment service.
 *
 * ```ts
 * const emulator = await startEmulator({ latency: 20, rollout: { polls: 2 } });
 * // … run a program with DEPLOYMENT_SERVICE_URL = emulator.url, DEPLOYMENT_SERVICE_API_KEY = emulator.apiKey
 * expect(emulator.deployments()).toMatchObject([{ name: "chat", status: "READY" }]);
 * await emulator.close();
 * ```
 *
 * Rejects with a `Refusal` if the service would refuse the seed, with a `StateFileError` if the state file cannot be used,
 * and with the system's error if it cannot listen.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", apiKey = "emulator-key", tenantId, idSeed } = options;
  const { dialect = "standard", clock = systemClock, pathPrefix, onRequest = () => {} } = options;
  const rules = rulesFor(options, dialect);
  const plane = createControlPlane({ rules, clock, idSeed, tenantId: tenantId ?? DEFAULT_TENANT }, options);
  const others = new Map(
    Object.entries(options.otherTenants ?? {}).map(([key, id]) => [key, planeBeside(plane, id)]),
  );
  const planes = [plane, ...others.values()] as const;
  const log = new RequestLog(headers.apiKey, onRequest);
  const faults = new Faults();
  const reset = () => {
    planes.forEach(clear);
    faults.clear();
    log.clear();
  };

  const file = options.state === undefined ? undefined : new StateFile(options.state, dialect, planes);
  if (!file?.load() && options.seed !== undefined) plant(plane, options.seed);
  // An unwritable file is reported now rather than after the first request.
  file?.save();

  type Work = (plane: ControlPlane, access: Access, inbound: Inbound) => HttpResponse;
  /** Serves the tenant of the request's key; with an unknown key, the main tenant refuses it. */
  const asTenant = (work: Work) => (inbound: Inbound) => {
    const key = keyOf(rules, inbound.headers) ?? "";
    const other = others.get(key);
    const response = work(other ?? plane, other ? { apiKey: key } : { apiKey, tenantId }, inbound);
    file?.save();
    return response;
  };
  // A separate series of ids, so that a retry does not change the ids of deployments.
  const requestIds = new Ids(idSeed === undefined ? undefined : -1 - idSeed);
  const server = await listen(port, host, {
    ...{ log, faults, rules, pathPrefix, settings: plane.settings },
    now: () => clock.now(),
    nextRequestId: () => requestIds.uuid(),
    service: asTenant((plane, access, inbound) =>
      inbound.path.startsWith(APPS_PREFIX) ? serveApp(planes, inbound.path) : serve(plane, access, inbound),
    ),
    control: asTenant((plane, access, inbound) =>
      handleControl({ plane, log, faults, reset }, access, inbound),
    ),
  });
  const url = server.url + (pathPrefix ?? "");
  for (const each of planes) each.appsAt = url + APPS_PREFIX;

  const main = tenantOf(plane);
  return {
    ...main,
    url,
    apiKey,
    requests: () => [...log.requests],
    requestLines: () => log.lines(),
    clearRequests: () => log.clear(),
    get peakInFlight() {
      return log.peakInFlight;
    },
    fail: (fault) => faults.plan(fault),
    configure: (settings) => void Object.assign(plane.settings, settings),
    seed: (seed) => plant(plane, seed),
    repositories: (integrationId, repositories, from = "codehost") =>
      setRepositories(plane, from, integrationId, repositories),
    tracingProjects: plane.tracingProjects,
    uploaded: (nameOrId) => {
      const uploads = main.deployment(nameOrId)?.uploads ?? [];
      return uploads.flatMap(({ id }) => plane.uploads.get(id) ?? []).at(-1);
    },
    tenant: (key) => {
      const other = others.get(key);
      if (other === undefined) throw new Refusal(404, "No other tenant has this key.");
      return tenantOf(other);
    },
    reset,
    close: async () => {
      await server.close();
      file?.save();
    },
  };
}

function rulesFor({ rules, serviceReposPath }: EmulatorOptions, dialect: DialectName): Rules {
  const chosen = rules ?? dialects[dialect];
  if (serviceReposPath === undefined) return chosen;
  const listing = { name: "listServiceRepositories", method: "GET", path: serviceReposPath } as const;
  return { ...chosen, endpoints: [listing, ...chosen.endpoints] };
}
