import type { Fault, How } from "../http/faults";
import { isObject, type Json } from "../json";
import { Refusal, type Location, type Problem } from "../refusal";
import { statuses, type Rules } from "../rules/rules";
import * as shapes from "../shape";
import { accept, any, choice, findProblems, flag, integer, listOf, nullable, object } from "../shape";
import { required, text, texts, type ObjectShape, type Shape } from "../shape";

/** What control routes accept. They refuse typing mistakes, which could make a test prove nothing. */

const count = integer(0);
const status = integer(200, 599);
const timing = { after: flag };

/** Alternative objects; the first key that is present decides. */
type Kinds = Readonly<Record<string, ObjectShape>>;

const kindOf = (kinds: Kinds, value: object): ObjectShape | undefined =>
  Object.entries(kinds).find(([key]) => Object.hasOwn(value, key))?.[1];

const hows: Kinds = {
  reset: object({ reset: choice("before", "after") }),
  hang: object({ hang: flag, work: flag }),
  truncate: object({ truncate: flag }),
  html: object({ html: flag, status, ...timing }),
  slowMs: object({ slowMs: count }),
  drip: object({ drip: flag, everyMs: count }),
  redirect: object({ redirect: text, status, ...timing }),
  emptyBody: object({ emptyBody: flag, status, ...timing }),
  wrongShape: object({ wrongShape: flag, ...timing }),
  hugeBody: object({ hugeBody: count, status, ...timing }),
  dateAheadMs: object({ dateAheadMs: { kind: "number", integer: true } }),
  extraFields: object({ extraFields: flag }),
  status: object({
    ...{ status, body: any, headers: shapes.free, contentType: text, retryAfter: text },
    ...timing,
  }),
};

const faultShape = object({
  when: object({ method: text, path: text, nth: integer(1) }),
  times: any,
  how: required(shapes.free),
});

export function acceptFault(body: Json): Fault {
  const fault = accept<Fault>(faultShape, body);
  const { how, times = 1 } = fault;
  const refuse = (key: string, msg: string, input: Json): never => {
    throw new Refusal(422, [{ type: "fault", loc: ["body", key], msg, input }]);
  };
  if (times !== "always" && !(Number.isInteger(times) && times > 0))
    refuse("times", "Input should be a positive integer or 'always'", times);
  // `{"hang": false}` names no kind.
  const named = Object.entries(how).filter(([, value]) => value !== false);
  const kind = kindOf(hows, Object.fromEntries(named));
  if (kind === undefined)
    return refuse("how", `Input should have one of the keys ${Object.keys(hows).join(", ")}`, { ...how });
  return { ...fault, how: accept<How>(kind, { ...how }, "refuse", ["body", "how"]) };
}

/** The parts of a deployment that somebody else could have changed. */
export function changeShape({ requests: { create, patch }, finallyDeleting }: Rules): ObjectShape {
  const optional = (key: string, { fields }: ObjectShape) =>
    fields[key] === undefined ? {} : { [key]: { ...fields[key], required: false } };
  return object({
    ...optional("source_config", create),
    ...optional("source_revision_config", patch),
    ...optional("secrets", patch),
    ...optional("secret_references", patch),
    status: choice(...Object.values(statuses), ...(finallyDeleting === undefined ? [] : [finallyDeleting])),
    image_version: nullable(text),
    latest_revision_id: nullable(shapes.uuid),
    active_revision_id: nullable(shapes.uuid),
    remote_reconciled: flag,
    tag_value_ids: texts,
    new_revision: flag,
  });
}

/** `fails` is a flag, or the status of the failure. */
const failing = { fails: any, buildLog: texts, reason: text };
export const failingShape = object(failing);
export const holdShape = object({ stuck: flag });

const settingsShape = object({
  ...{ rollout: any, deletion: any, latency: count, requestsPerSecond: count, lag: count, apps: flag },
  secrets: choice("clear", "masked", "null", "omitted", "word", "tail", "chance"),
  normalizations: listOf(choice("rounds", "spells", "injects", "drops")),
  logs: object({ build: texts, deploy: texts }),
});

interface ScriptShape {
  readonly words: readonly string[];
  readonly kinds: Kinds;
  /** A list of statuses is a script, too. */
  readonly statuses?: Shape;
}

const scripts: Readonly<Record<string, ScriptShape>> = {
  rollout: {
    words: ["never", "stuck"],
    kinds: {
      polls: object({ polls: count, ...failing }),
      afterMs: object({ afterMs: count, ...failing }),
      revision: object({ revision: texts }),
    },
    statuses: texts,
  },
  deletion: {
    words: ["never"],
    kinds: {
      polls: object({ polls: count, finalPolls: count }),
      afterMs: object({ afterMs: count }),
    },
  },
};

export function settingsProblems(settings: Json): Problem[] {
  const problems = findProblems(settingsShape, settings, ["body"]);
  if (problems.length > 0 || !isObject(settings)) return problems;
  return Object.entries(scripts).flatMap(([name, script]) =>
    name in settings ? scriptProblems(script, settings[name] ?? null, ["body", name]) : [],
  );
}

function scriptProblems(script: ScriptShape, value: Json, loc: Location): Problem[] {
  const { words, kinds, statuses } = script;
  if (typeof value === "string" && words.includes(value)) return [];
  if (statuses !== undefined && Array.isArray(value)) return findProblems(statuses, value, loc);
  if (isObject(value) && isObject(value["byName"])) {
    const { byName, otherwise = "never", ...unknown } = value;
    const named = Object.entries<Json>({ ...byName, otherwise });
    return [
      ...findProblems(object({}), unknown, loc),
      ...named.flatMap(([name, each]) => scriptProblems(script, each, [...loc, name])),
    ];
  }
  const kind = isObject(value) ? kindOf(kinds, value) : undefined;
  if (kind !== undefined) return findProblems(kind, value, loc);
  const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
  const orStatuses = statuses === undefined ? "" : ", a list of statuses";
  const keys = list([...Object.keys(kinds), "byName"]);
  const msg = `Input should be ${list(words)}${orStatuses}, or have one of the keys ${keys}`;
  return [{ type: "script", loc, msg, input: value }];
}
