import type { Fault, Faults } from "../http/faults";
import type { RequestLog } from "../http/request-log";
import { isObject, parseJson, valueAt, type JsonObject } from "../json-values";
import { Refusal } from "../refusal";
import type { HttpResponse, Inbound } from "../routes/call";
import { parseQuery } from "../rules/query";
import { plant } from "../seed";
import { authenticate, matchPath, orRefusal, parseBody, type Access } from "../emulated-service";
import { accept } from "../json-shape";
import type { ControlPlane, Settings } from "../state/control-plane";
import type { DeploymentRecord } from "../state/deployment-record";
import type { Failing } from "../state/script";
import { changeShape, failingShape, faultShape, holdShape, settingsShape } from "./shapes";
import { tenantOf, type Tenant } from "./tenant";

/** What control routes act on. */
export interface Controls {
  /** The tenant of the request's key. */
  readonly plane: ControlPlane;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly reset: () => void;
}

interface ControlCall extends Controls {
  readonly tenant: Tenant;
  /** The part of the path that names something. */
  readonly target: string;
  /** An empty object if the request has no body. */
  readonly body: JsonObject;
}

/** Returns the body of the response, or undefined for 204. */
type Answer = (call: ControlCall) => unknown;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly does: string;
  readonly answer: Answer;
  readonly status: number;
}

function route(method: string, path: string, does: string, answer: Answer, status = 200): Route {
  return { method, path: `/_emulator/${path}`, does, answer, status };
}

const one = "deployments/{name or id}";

const routes: readonly Route[] = [
  route("GET", "deployments", "everything that is stored, with revisions", ({ tenant }) =>
    tenant.deployments(),
  ),
  route("POST", "deployments", "create one, ready at once", ({ tenant, body }) => tenant.create(body), 201),
  route("PATCH", one, "change one; new_revision: true also creates a revision", changeDeployment),
  route("DELETE", one, "remove one at once", ({ tenant, target }) => tenant.remove(target)),
  route(
    "POST",
    `${one}/hold`,
    'stop its running rollout; {"stuck": true} also queues later ones',
    ({ tenant, target, body }) =>
      tenant.hold(target, accept<{ stuck?: boolean }>(holdShape, body).stuck ? "stuck" : "never"),
  ),
  route(
    "POST",
    `${one}/finish`,
    'end its rollout; {"fails": "BUILD_FAILED", "buildLog": ["…"], "reason": "…"}',
    ({ tenant, target, body }) => tenant.finish(target, accept<Failing>(failingShape, body)),
  ),
  route("GET", "settings", "how rollouts, deletions and responses behave", ({ plane }) => plane.settings),
  route(
    "PATCH",
    "settings",
    '{"rollout": "never"}, {"rollout": {"polls": 1, "fails": "BUILD_FAILED"}}, …',
    ({ plane, body }) => Object.assign(plane.settings, accept<Partial<Settings>>(settingsShape, body)),
  ),
  route("GET", "faults", "the planned faults, and how often each was hit", ({ faults }) =>
    faults.list().map(({ fault, hits }) => ({ ...fault, hits })),
  ),
  route(
    "POST",
    "faults",
    '{"when": {"method": "POST"}, "times": 2, "how": {"status": 503}}',
    ({ faults, body }) => {
      faults.plan(accept<Fault>(faultShape, body));
      return body;
    },
    201,
  ),
  route("DELETE", "faults", "cancel all faults", ({ faults }) => faults.clear()),
  route("GET", "requests", "all requests to the service", ({ log }) => log.requests),
  route("DELETE", "requests", "forget them", ({ log }) => log.clear()),
  route("GET", "tracing-projects", "their names", ({ plane }) => [...plane.tracingProjects]),
  route("DELETE", "tracing-projects/{name}", "remove one", ({ plane, target }) => {
    if (!plane.tracingProjects.delete(target))
      throw new Refusal(404, `The emulator has no tracing project '${target}'.`);
  }),
  route("POST", "seed", "add what a seed file contains", ({ plane, body }) => plant(plane, body)),
  route("POST", "reset", "remove everything but the settings", ({ reset }) => reset()),
];

function changeDeployment({ tenant, target, plane, body }: ControlCall): DeploymentRecord {
  const { new_revision, ...changes } = accept<JsonObject>(changeShape(plane.rules), body);
  return tenant.change(target, (record) => merge(record, changes), { revision: new_revision === true });
}

/** Merges objects key by key; `null` removes a key. Lists and plain values are replaced. */
function merge(record: DeploymentRecord, changes: JsonObject): void {
  const merged = Object.entries(changes).map(([key, value]) => {
    const before = valueAt(record, key);
    if (!isObject(value) || !isObject(before)) return [key, value] as const;
    const members = Object.entries({ ...before, ...value }).filter(([, member]) => member !== null);
    return [key, Object.fromEntries(members)] as const;
  });
  Object.assign(record, Object.fromEntries(merged));
  record.secrets ??= [];
}

/** For the help, in columns. */
export function controlRouteLines(): string[] {
  const heads = routes.map(({ method, path }) => `${method.padEnd(6)} ${path}`);
  const width = Math.max(...heads.map(({ length }) => length));
  return routes.map(({ does }, index) => `${heads[index]!.padEnd(width)}  ${does}`);
}

export function handleControl(controls: Controls, { apiKey }: Access, inbound: Inbound): HttpResponse {
  return orRefusal(() => {
    const { rules } = controls.plane;
    authenticate(rules, { apiKey }, inbound.headers);
    parseQuery({}, inbound.query);
    for (const { method, path, answer, status } of routes) {
      const params = method === inbound.method ? matchPath(path, inbound.path) : undefined;
      if (params === undefined) continue;
      const body = inbound.text === "" ? {} : parseBody(rules, inbound);
      const target = decode(Object.values(params)[0] ?? "");
      const answered = answer({ ...controls, tenant: tenantOf(controls.plane), target, body });
      if (answered === undefined) return { status: 204 };
      // Leaves out functions, which only tests in the same process can set.
      return { status, body: parseJson(JSON.stringify(answered)) };
    }
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    throw new Refusal(404, `No such control route. Available: ${known.join(", ")}`);
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
