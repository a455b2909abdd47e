import { isObject, type Json } from "../json";
import { choice, nullable, object, required } from "../rules/fields";
import type { Rules } from "../rules/rules";
import { findProblems, type Location, type ObjectShape, type Problem, type Shape } from "../shape";
import { repositoriesShape } from "../state/repositories";

/** What the control routes accept. A typing mistake there would make a test prove nothing. */

const count: Shape = { kind: "number", integer: true, min: 1 };
const status: Shape = { kind: "number", integer: true, min: 200, max: 599 };
const amount: Shape = { kind: "number", integer: true, min: 0 };
const text: Shape = { kind: "string" };
const texts: Shape = { kind: "list", of: text };
const flag: Shape = { kind: "boolean" };
const any: Shape = { kind: "any" };

/** One of several objects, told apart by a key: the first that is found names the kind. */
export interface Kind {
  readonly key: string;
  readonly shape: ObjectShape;
}

export const faultKinds: readonly Kind[] = [
  { key: "reset", shape: object({ reset: choice("before", "after") }) },
  { key: "hang", shape: object({ hang: flag, work: flag }) },
  { key: "truncate", shape: object({ truncate: flag }) },
  { key: "html", shape: object({ html: flag, status, after: flag }) },
  { key: "slowMs", shape: object({ slowMs: amount }) },
  { key: "drip", shape: object({ drip: flag, everyMs: amount }) },
  { key: "redirect", shape: object({ redirect: text, status, after: flag }) },
  { key: "emptyBody", shape: object({ emptyBody: flag, status, after: flag }) },
  { key: "wrongShape", shape: object({ wrongShape: flag, after: flag }) },
  { key: "hugeBody", shape: object({ hugeBody: amount, status, after: flag }) },
  { key: "dateAheadMs", shape: object({ dateAheadMs: { kind: "number", integer: true } }) },
  { key: "extraFields", shape: object({ extraFields: flag }) },
  {
    key: "status",
    shape: object({
      status,
      body: any,
      headers: { kind: "free" },
      contentType: text,
      retryAfter: text,
      after: flag,
    }),
  },
];

export const faultShape = object({
  when: object({ method: text, path: text, nth: count }),
  times: any,
  how: required({ kind: "free" }),
});

/** Drift: what somebody else could have changed. */
export function changeShape({ requests: { create, patch }, status: words }: Rules): ObjectShape {
  const { source_config, source_revision_config, secrets, secret_references } = patch.fields;
  const nullableText = nullable<Shape>(text);
  return object({
    ...defined({ source_config: create.fields["source_config"] ?? source_config }),
    ...defined({ source_revision_config, secrets, secret_references }),
    status: choice(...words.all),
    image_version: nullableText,
    latest_revision_id: nullable<Shape>({ kind: "uuid" }),
    active_revision_id: nullable<Shape>({ kind: "uuid" }),
    remote_reconciled: flag,
    tag_value_ids: texts,
    new_revision: flag,
  });
}

function defined(shapes: Record<string, Shape | undefined>): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(shapes).flatMap(([key, shape]) =>
      shape === undefined ? [] : [[key, { ...shape, required: false }]],
    ),
  );
}

/** How a rollout ends; whether it fails is a flag, or the status of the failure. */
const failing = { fails: any, buildLog: texts, reason: text };
export const endingShape = object(failing);
export const holdShape = object({ stuck: flag });
export const integrationShape = object({
  repositories: required(repositoriesShape),
  host: choice("codehost", "service"),
});
export const tracingProjectShape = object({ name: required(text) });
export const listenerShape = object({ compute_id: required(text), namespaces: required(texts) });
export const settingsShape = object({
  rollout: any,
  deletion: any,
  database: any,
  latency: amount,
  requestsPerSecond: amount,
  lag: amount,
  secrets: choice("clear", "masked", "null", "omitted", "empty", "word", "tail", "chance"),
  pageOrder: choice("newest-first", "oldest-first", "by-name"),
  normalizations: { kind: "list", of: choice("rounds", "spells", "injects", "drops") },
  logs: object({ build: texts, deploy: texts }),
  apps: flag,
});

interface ScriptShape {
  readonly kinds: readonly Kind[];
  readonly words: readonly string[];
  /** Whether a list of statuses is a script too. */
  readonly statuses: boolean;
}

const waits = [
  { key: "polls", shape: object({ polls: amount }) },
  { key: "afterMs", shape: object({ afterMs: amount }) },
];

const scripts: Readonly<Record<string, ScriptShape>> = {
  rollout: {
    words: ["never", "stuck"],
    kinds: [
      { key: "polls", shape: object({ polls: amount, ...failing }) },
      { key: "afterMs", shape: object({ afterMs: amount, ...failing }) },
      { key: "revision", shape: object({ revision: texts }) },
    ],
    statuses: true,
  },
  deletion: {
    words: ["never"],
    kinds: [{ key: "polls", shape: object({ polls: amount, finalPolls: amount }) }, ...waits.slice(1)],
    statuses: false,
  },
  database: { words: ["never"], kinds: waits, statuses: false },
};

export function settingsProblems(settings: Json): Problem[] {
  const problems = findProblems(settingsShape, settings, ["body"]);
  if (problems.length > 0 || !isObject(settings)) return problems;
  return Object.entries(scripts).flatMap(([name, script]) =>
    name in settings ? scriptProblems(script, settings[name] ?? null, ["body", name]) : [],
  );
}

function scriptProblems(script: ScriptShape, value: Json, loc: Location): Problem[] {
  if (typeof value === "string" && script.words.includes(value)) return [];
  if (script.statuses && Array.isArray(value)) return findProblems(texts, value, loc);
  if (isObject(value) && isObject(value["byName"] ?? null)) {
    const { byName, otherwise = "never", ...unknown } = value;
    const named = Object.entries({ ...(byName as object), otherwise }) as [string, Json][];
    return [
      ...findProblems(object({}), unknown, loc),
      ...named.flatMap(([name, each]) => scriptProblems(script, each, [...loc, name])),
    ];
  }
  const kind = isObject(value) ? script.kinds.find(({ key }) => Object.hasOwn(value, key)) : undefined;
  if (kind !== undefined) return findProblems(kind.shape, value, loc);
  const keys = script.kinds.map(({ key }) => `'${key}'`).join(", ");
  const words = script.words.map((word) => `'${word}'`).join(", ");
  const msg = `Input should be ${words}${script.statuses ? ", a list of statuses" : ""}, or have one of the keys ${keys}, 'byName'`;
  return [{ type: "script", loc, msg, input: value }];
}
