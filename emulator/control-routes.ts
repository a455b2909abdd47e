import { clickChange, clickRemove, type ChangeOptions } from "./control";
import { controlShapes, faultKinds } from "./control-shapes";
import type { Fault, Faults, How } from "./http/faults";
import type { RequestLog } from "./http/request-log";
import { isObject, type Json, type JsonObject } from "./json";
import { Refusal, refuseIfAny } from "./refusal";
import type { Answer } from "./routes/handler";
import { parseQuery } from "./routes/query";
import { answering, authenticate, matchPath, parseBody, type Access, type Inbound } from "./service";
import { findProblems, type ObjectShape } from "./shape";
import type { ControlPlane } from "./state/control-plane";
import type { DeploymentRecord } from "./state/record";
import { settle } from "./state/settle";

export interface Controls {
  readonly plane: ControlPlane;
  readonly access: Access;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly reset: () => void;
}

type Route = {
  method: string;
  path: string;
  answer: (controls: Controls, inbound: Inbound, target: string) => Answer;
};

/** The controls over HTTP, for people who run the emulator by itself. */
const routes: readonly Route[] = [
  { method: "POST", path: "/_emulator/faults", answer: planFault },
  { method: "DELETE", path: "/_emulator/faults", answer: cancelFaults },
  { method: "GET", path: "/_emulator/requests", answer: listRequests },
  { method: "GET", path: "/_emulator/deployments", answer: listRecords },
  { method: "PATCH", path: "/_emulator/deployments/{target}", answer: changeRecord },
  { method: "DELETE", path: "/_emulator/deployments/{target}", answer: removeRecord },
  { method: "GET", path: "/_emulator/tracing-projects", answer: listTracingProjects },
  { method: "DELETE", path: "/_emulator/tracing-projects/{target}", answer: removeTracingProject },
  { method: "POST", path: "/_emulator/reset", answer: resetAll },
];

/** `METHOD path` of each control route, for the help text. */
export const controlRouteLines = routes.map(({ method, path }) =>
  `${method.padEnd(6)} ${path}`.replace("{target}", "{id or name}"),
);

export function controlRoutes(controls: Controls): (inbound: Inbound) => Answer {
  return (inbound) =>
    answering(() => {
      authenticate(
        controls.plane,
        { ...controls.access, tenantId: undefined, enabled: true },
        inbound.headers,
      );
      parseQuery({}, inbound.query);
      for (const { method, path, answer } of routes) {
        const params = method === inbound.method ? matchPath(path, inbound.path) : undefined;
        if (params !== undefined) return answer(controls, inbound, decode(params["target"] ?? ""));
      }
      throw new Refusal(404, `No such control route. There are: ${controlRouteLines.join(", ")}`);
    });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function checkedBody(controls: Controls, inbound: Inbound, shape: ObjectShape): JsonObject {
  const body = parseBody(controls.plane.rules.texts.contentType, inbound);
  refuseIfAny(findProblems(shape, body, ["body"]));
  return isObject(body) ? body : {};
}

function planFault(controls: Controls, inbound: Inbound): Answer {
  const body = checkedBody(controls, inbound, controlShapes.fault);
  const how = isObject(body["how"] ?? null) ? (body["how"] as JsonObject) : {};
  const refuse = (loc: string[], msg: string, input: Json): never => {
    throw new Refusal(422, [{ type: "fault", loc: ["body", ...loc], msg, input }]);
  };
  const times = body["times"] ?? 1;
  if (times !== "always" && !(Number.isInteger(times) && Number(times) > 0))
    refuse(["times"], "Input should be a positive integer or 'always'", times);
  const kind = faultKinds.find(({ key }) => Object.hasOwn(how, key) && how[key] !== false);
  if (kind === undefined)
    return refuse(
      ["how"],
      `Input should have one of the keys ${faultKinds.map(({ key }) => key).join(", ")}`,
      how,
    );
  refuseIfAny(findProblems(kind.shape, how, ["body", "how"]));
  // Both shapes have just been checked: this is what they say.
  const fault = { ...body, how: how as unknown as How } as Fault;
  controls.faults.plan(fault);
  return { status: 201, body };
}

function cancelFaults({ faults }: Controls): Answer {
  faults.clear();
  return { status: 204 };
}

function listRequests({ log }: Controls): Answer {
  return { status: 200, body: structuredClone(log.requests) as unknown as Json };
}

function listRecords({ plane }: Controls): Answer {
  settle(plane);
  return { status: 200, body: structuredClone(plane.deployments) as unknown as Json };
}

/** Objects are merged key by key, `null` removes a key; lists and plain values replace. */
function changeRecord(controls: Controls, inbound: Inbound, target: string): Answer {
  const shape = controlShapes.change(controls.plane.rules);
  const { new_revision, ...changes } = checkedBody(controls, inbound, shape);
  const options: ChangeOptions = { revision: new_revision === true };
  const changed = clickChange(controls.plane, target, (record) => merge(record, changes), options);
  return { status: 200, body: structuredClone(changed) as unknown as Json };
}

function merge(record: DeploymentRecord, changes: JsonObject): void {
  const stored = record as unknown as JsonObject;
  for (const [key, value] of Object.entries(changes)) {
    const previous = stored[key] ?? null;
    if (!isObject(value) || !isObject(previous)) {
      stored[key] = value;
      continue;
    }
    const merged = Object.entries({ ...previous, ...value }).filter(([, member]) => member !== null);
    stored[key] = Object.fromEntries(merged);
  }
  record.secrets ??= [];
}

function removeRecord({ plane }: Controls, _inbound: Inbound, target: string): Answer {
  clickRemove(plane, target);
  return { status: 204 };
}

function listTracingProjects({ plane }: Controls): Answer {
  return { status: 200, body: [...plane.tracingProjects] };
}

function removeTracingProject({ plane }: Controls, _inbound: Inbound, target: string): Answer {
  if (!plane.tracingProjects.delete(target))
    throw new Refusal(404, `The emulator has no tracing project '${target}'.`);
  return { status: 204 };
}

function resetAll({ reset }: Controls): Answer {
  reset();
  return { status: 204 };
}
