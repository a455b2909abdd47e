import { fill, type Json, type JsonObject } from "../json";
import { Refusal, refuseIfAny } from "../refusal";
import { findProblems, knownPart, type ObjectShape } from "../shape";
import { laterThan, timestamp, type ControlPlane, type ListenerRecord } from "../state/control-plane";
import type { Call, Handler } from "./handler";

export const listListeners: Handler = ({ plane, query: { limit, offset } }) => {
  const page = plane.listeners.slice(offset, offset + limit);
  return { status: 200, body: { resources: page.map(shown), offset: offset + page.length } };
};

export const createListener: Handler = ({ plane, body }) => ({
  status: 201,
  body: shown(addListener(plane, checked(plane, plane.rules.requests.createListener, body))),
});

export function addListener(plane: ControlPlane, body: Partial<ListenerRecord>): ListenerRecord {
  const { clock, ids, listeners, rules, tenantId } = plane;
  const compute = body.compute_id ?? "";
  if (listeners.some(({ compute_id }) => compute_id === compute))
    throw new Refusal(409, fill(rules.texts.listenerTaken, { tenant: tenantId, compute }));
  const now = timestamp(clock.now());
  const listener: ListenerRecord = {
    id: ids.uuid(),
    version: body.version ?? null,
    compute_type: body.compute_type ?? "k8s",
    compute_id: compute,
    compute_config: { k8s_namespaces: body.compute_config?.k8s_namespaces ?? null },
    created_at: now,
    updated_at: now,
  };
  listeners.push(listener);
  return listener;
}

export const getListener: Handler = (call) => ({ status: 200, body: shown(find(call)) });

export const patchListener: Handler = (call) => {
  const { plane } = call;
  const { version, compute_config } = checked(plane, plane.rules.requests.patchListener, call.body);
  const listener = find(call);
  if (version) listener.version = version;
  if (compute_config) listener.compute_config = { ...listener.compute_config, ...compute_config };
  listener.updated_at = laterThan(listener.updated_at, plane.clock);
  return { status: 200, body: shown(listener) };
};

export const deleteListener: Handler = (call) => {
  const listener = find(call);
  call.plane.listeners = call.plane.listeners.filter((other) => other !== listener);
  return { status: 204 };
};

function find({ plane, params }: Call): ListenerRecord {
  const id = params["listener_id"] ?? "";
  const listener = plane.listeners.find((candidate) => candidate.id === id.toLowerCase());
  if (listener === undefined) throw new Refusal(404, fill(plane.rules.texts.listenerNotFound, { id }));
  return listener;
}

function checked(
  { rules }: ControlPlane,
  shape: ObjectShape = { kind: "object", fields: {} },
  body: Json,
): Partial<ListenerRecord> {
  refuseIfAny(findProblems(shape, body, ["body"], rules.unknownKeys));
  // The shape has just been checked: this is what it says.
  return structuredClone(knownPart(shape, body)) as Partial<ListenerRecord>;
}

function shown(listener: ListenerRecord): JsonObject {
  return structuredClone(listener) as unknown as JsonObject;
}
