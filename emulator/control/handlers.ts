import type { Fault, Faults, How } from "../http/faults";
import type { RequestLog } from "../http/request-log";
import { isObject, type Json, type JsonObject } from "../json";
import { Refusal, refuseIfAny } from "../refusal";
import type { HttpResponse } from "../routes/handler";
import { addListener } from "../routes/listeners";
import { plant } from "../seed";
import { parseBody, type Inbound } from "../service";
import { findProblems, type ObjectShape } from "../shape";
import type { ControlPlane, Host } from "../state/control-plane";
import type { DeploymentRecord } from "../state/record";
import { setRepositories } from "../state/repositories";
import type { Failing } from "../state/script";
import { finishRollout, holdRollout, settle } from "../state/settle";
import { clickChange, clickCreate, clickRemove, mustFind, type ChangeOptions } from "./actions";
import {
  changeShape,
  endingShape,
  faultKinds,
  faultShape,
  holdShape,
  listenerShape,
  integrationShape,
  settingsProblems,
  tracingProjectShape,
} from "./shapes";

/** What a control route works on: the service as the tenant of the given key sees it. */
export interface Controls {
  readonly plane: ControlPlane;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly reset: () => void;
}

/** @param target the part of the path that names something */
export type ControlHandler = (controls: Controls, inbound: Inbound, target: string) => HttpResponse;

const done: HttpResponse = { status: 204 };

function shown(value: unknown, status = 200): HttpResponse {
  return { status, body: structuredClone(value) as Json };
}

function read({ plane }: Controls, inbound: Inbound): JsonObject {
  // It gives nothing but objects.
  return parseBody(plane.rules.texts.contentType, inbound) as JsonObject;
}

function checked(controls: Controls, inbound: Inbound, shape: ObjectShape): JsonObject {
  const body = read(controls, inbound);
  refuseIfAny(findProblems(shape, body, ["body"]));
  return body;
}

/** For routes that can do without a body. */
function checkedIfAny(controls: Controls, inbound: Inbound, shape: ObjectShape): JsonObject {
  return inbound.text === "" ? {} : checked(controls, inbound, shape);
}

export const listRecords: ControlHandler = ({ plane }) => {
  settle(plane);
  return shown(plane.deployments);
};

export const createRecord: ControlHandler = (controls, inbound) =>
  shown(clickCreate(controls.plane, read(controls, inbound)), 201);

/** Objects are merged key by key, `null` removes a key; lists and plain values replace. */
export const changeRecord: ControlHandler = (controls, inbound, target) => {
  const { new_revision, ...changes } = checked(controls, inbound, changeShape(controls.plane.rules));
  const options: ChangeOptions = { revision: new_revision === true };
  return shown(clickChange(controls.plane, target, (record) => merge(record, changes), options));
};

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

export const removeRecord: ControlHandler = ({ plane }, _inbound, target) => {
  clickRemove(plane, target);
  return done;
};

export const hold: ControlHandler = (controls, inbound, target) => {
  const { stuck } = checkedIfAny(controls, inbound, holdShape);
  const record = mustFind(controls.plane, target);
  holdRollout(record, stuck === true ? "stuck" : "never");
  return shown(record);
};

export const finish: ControlHandler = (controls, inbound, target) => {
  const ending = checkedIfAny(controls, inbound, endingShape);
  const record = mustFind(controls.plane, target);
  finishRollout(controls.plane, record, ending as Failing);
  return shown(record);
};

export const showSettings: ControlHandler = ({ plane }) => shown(JSON.parse(JSON.stringify(plane.settings)));

export const changeSettings: ControlHandler = (controls, inbound) => {
  const body = read(controls, inbound);
  refuseIfAny(settingsProblems(body));
  Object.assign(controls.plane.settings, structuredClone(body));
  return showSettings(controls, inbound, "");
};

export const planFault: ControlHandler = (controls, inbound) => {
  const body = checked(controls, inbound, faultShape);
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
  controls.faults.plan({ ...body, how: how as unknown as How } as Fault);
  return { status: 201, body };
};

export const listFaults: ControlHandler = ({ faults }) =>
  shown(faults.list().map(({ fault, hits }) => JSON.parse(JSON.stringify({ ...fault, hits })) as Json));

export const cancelFaults: ControlHandler = ({ faults }) => {
  faults.clear();
  return done;
};

export const listRequests: ControlHandler = ({ log }) => shown(log.requests);

export const clearRequests: ControlHandler = ({ log }) => {
  log.clear();
  return done;
};

export const tellRepositories: ControlHandler = (controls, inbound, target) => {
  const { repositories, host = "codehost" } = checked(controls, inbound, integrationShape);
  setRepositories(controls.plane, host as Host, target, repositories as JsonObject[]);
  return done;
};

export const makeListener: ControlHandler = (controls, inbound) => {
  const { compute_id, namespaces } = checked(controls, inbound, listenerShape);
  const compute_config = { k8s_namespaces: namespaces as string[] };
  return shown(addListener(controls.plane, { compute_id: compute_id as string, compute_config }), 201);
};

export const listTracingProjects: ControlHandler = ({ plane }) => shown([...plane.tracingProjects]);

export const addTracingProject: ControlHandler = (controls, inbound) => {
  const body = checked(controls, inbound, tracingProjectShape);
  controls.plane.tracingProjects.add(body["name"] as string);
  return { status: 201, body };
};

export const removeTracingProject: ControlHandler = ({ plane }, _inbound, target) => {
  if (!plane.tracingProjects.delete(target))
    throw new Refusal(404, `The emulator has no tracing project '${target}'.`);
  return done;
};

export const addSeed: ControlHandler = (controls, inbound) => {
  plant(controls.plane, read(controls, inbound));
  return done;
};

export const resetAll: ControlHandler = ({ reset }) => {
  reset();
  return done;
};
