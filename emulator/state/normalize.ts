import { isObject, type Json, type JsonObject } from "../json";

/** What a service may make of what it is sent, before it stores it. What somebody changes by hand is not touched. */
export type Normalization =
  /** `cpu` to one decimal, memory to steps of 256, and at most 10 replicas. */
  | "rounds"
  /** Addresses and images without a slash at their end and with their host in lower case. */
  | "spells"
  /** A sidecar and a label of its own in every `resource_spec`. */
  | "injects"
  /** Empty objects and lists are left out, at any depth. */
  | "drops";

export function normalize<T extends JsonObject>(kinds: readonly Normalization[], body: T): T {
  return kinds.reduce<JsonObject>((all, kind) => steps[kind](all), body) as T;
}

const steps: Record<Normalization, (body: JsonObject) => JsonObject> = {
  rounds: (body) => inSpec(body, (spec) => mapMembers(spec, round)),
  spells: (body) => {
    const spelt = (config: JsonObject) =>
      mapMembers(config, (value, key) => (isAddress(key) ? spell(value) : value));
    return mapMembers(body, (value, key) => (isConfig(key) && isObject(value) ? spelt(value) : value));
  },
  injects: (body) =>
    inSpec(body, ({ sidecars, labels, ...spec }) => ({
      ...spec,
      labels: {
        ...(isObject(labels ?? null) ? (labels as JsonObject) : {}),
        "mesh.example.com/injected": "true",
      },
      sidecars: [
        ...(Array.isArray(sidecars) ? sidecars : []),
        { name: "proxy", image: "mesh.example.com/proxy:1" },
      ],
    })),
  drops: (body) => inSpec(body, (spec) => withoutEmpty(spec) as JsonObject),
};

function inSpec(body: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  const config = body["source_config"] ?? null;
  const spec = isObject(config) ? (config["resource_spec"] ?? null) : null;
  if (!isObject(config) || !isObject(spec)) return body;
  return { ...body, source_config: { ...config, resource_spec: change(spec) } };
}

function round(value: Json, key: string): Json {
  if (typeof value !== "number") return value;
  if (key.includes("cpu")) return Math.round(value * 10) / 10;
  if (key.includes("memory")) return Math.ceil(value / 256) * 256;
  return key.includes("max_scale") ? Math.min(value, 10) : value;
}

function isConfig(key: string): boolean {
  return key === "source_config" || key === "source_revision_config";
}

function isAddress(key: string): boolean {
  return key.endsWith("_url") || key.endsWith("_uri");
}

function spell(value: Json): Json {
  if (typeof value !== "string") return value;
  return value.replace(/\/+$/, "").replace(/^([a-z]+:\/\/)?[^/]+/i, (host) => host.toLowerCase());
}

function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function mapMembers(object: JsonObject, map: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
