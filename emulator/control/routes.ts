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
  readonly answer: Answer;
  readonly status: number;
}

function route(method: string, path: string, answer: Answer, status = 200): Route {
  return { method, path: `/_emulator/${path}`, answer, status };
}

const one = "deployments/{name or id}";

const routes: readonly Route[] = [
  route("GET", "deployments", ({ tenant }) => tenant.deployments()),
  route("POST", "deployments", ({ tenant, body }) => tenant.create(body), 201),
  route("PATCH", one, changeDeployment),
  route("DELETE", one, ({ tenant, target }) => tenant.remove(target)),
  route("POST", `${one}/hold`, ({ tenant, target, body }) =>
    tenant.hold(target, accept<{ stuck?: boolean }>(holdShape, body).stuck ? "stuck" : "never"),
  ),
  route("POST", `${one}/finish`, ({ tenant, target, body }) =>
    tenant.finish(target, accept<Failing>(failingShape, body)),
  ),
  route("GET", "settings", ({ plane }) => plane.settings),
  route("PATCH", "settings", ({ plane, body }) =>
    Object.assign(plane.settings, accept<Partial<Settings>>(settingsShape, body)),
  ),
  route("GET", "faults", ({ faults }) => faults.list().map(({ fault, hits }) => ({ ...fault, hits }))),
  route(
    "POST",
    "faults",
    ({ faults, body }) => {
      faults.plan(accept<Fault>(faultShape, body));
      return body;
    },
    201,
  ),
  route("DELETE", "faults", ({ faults }) => faults.clear()),
  route("GET", "requests", ({ log }) => log.requests),
  route("DELETE", "requests", ({ log }) => log.clear()),
  route("GET", "tracing-projects", ({ plane }) => [...plane.tracingProjects]),
  route("DELETE", "tracing-projects/{name}", ({ plane, target }) => {
    if (!plane.tracingProjects.delete(target))
      throw new Refusal(404, `The emulator has no tracing project '${target}'.`);
  }),
  route("POST", "seed", ({ plane, body }) => plant(plane, body)),
  route("POST", "reset", ({ reset }) => reset()),
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
