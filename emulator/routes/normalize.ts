import { isObject, mapMembers, type Json, type JsonObject } from "../json-values";
import type { Normalization } from "../state/control-plane";

/** What the service stores of a body. The result has the same type, because no step changes which keys exist at the top. */
export function normalize<T extends object>(kinds: readonly Normalization[], body: T): T {
  return kinds.reduce((all, kind) => steps[kind](all), body as JsonObject) as T;
}

const steps: Readonly<Record<Normalization, (body: JsonObject) => JsonObject>> = {
  rounds: (body) => inSpec(body, (spec) => mapMembers(spec, round)),
  spells: (body) =>
    mapMembers(body, (part, key) =>
      key.endsWith("_config") && isObject(part) ? mapMembers(part, spell) : part,
    ),
  injects: (body) =>
    inSpec(body, ({ sidecars, labels, ...spec }) => ({
      ...spec,
      labels: { ...(isObject(labels) && labels), "mesh.example.com/injected": "true" },
      sidecars: [...withoutProxy(sidecars), { name: "proxy", image: "mesh.example.com/proxy:1" }],
    })),
  drops: (body) => inSpec(body, withoutEmpty),
};

/** An injector replaces its own container. */
function withoutProxy(sidecars: unknown): Json[] {
  const all = Array.isArray(sidecars) ? (sidecars as Json[]) : [];
  return all.filter((each) => !isObject(each) || each["name"] !== "proxy");
}

function inSpec(body: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  const config = body["source_config"];
  if (!isObject(config) || !isObject(config["resource_spec"])) return body;
  return { ...body, source_config: { ...config, resource_spec: change(config["resource_spec"]) } };
}

function round(value: Json, key: string): Json {
  if (typeof value !== "number") return value;
  if (key.includes("cpu")) return Math.round(value * 10) / 10;
  if (key.includes("memory")) return Math.ceil(value / 256) * 256;
  return key.includes("max_scale") ? Math.min(value, 10) : value;
}

function spell(value: Json, key: string): Json {
  if (typeof value !== "string" || !/_ur[il]$/.test(key)) return value;
  return value.replace(/\/+$/, "").replace(/^([a-z]+:\/\/)?[^/]+/i, (host) => host.toLowerCase());
}

function withoutEmpty(object: JsonObject): JsonObject {
  const members = Object.entries(object).map(([key, member]) => [key, emptied(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function emptied(value: Json): Json {
  if (Array.isArray(value)) return value.map(emptied);
  return isObject(value) ? withoutEmpty(value) : value;
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
