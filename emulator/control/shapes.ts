import { statuses, type Rules } from "../rules/dialect-rules";
import * as shapes from "../json-shape";
import {
  any,
  choice,
  each,
  flag,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  required,
  text,
  texts,
} from "../json-shape";
import type { ObjectShape, Shape } from "../json-shape";

/** What control routes accept. They refuse typing mistakes, which could make a test prove nothing. */

const count = integer(0);
const status = integer(200, 599);
const yes = required<Shape>({ kind: "true" });
const timing = { after: flag };

const how = oneOf(
  "Input should have one of the keys reset, hang, truncate, html, slowMs, redirect, emptyBody, " +
    "wrongShape, dateAheadMs, compressed, extraFields, status",
  object({ reset: required(choice("before", "after")) }),
  object({ hang: yes, work: flag }),
  object({ truncate: yes }),
  object({ html: yes, status, ...timing }),
  object({ slowMs: required(count) }),
  object({ redirect: required(text), status, ...timing }),
  object({ emptyBody: yes, status, ...timing }),
  object({ wrongShape: yes, ...timing }),
  object({ dateAheadMs: required<Shape>({ kind: "number", integer: true }) }),
  object({ compressed: required(text) }),
  object({ extraFields: yes }),
  object({
    status: required(status),
    body: any,
    headers: shapes.free,
    ...each(text, "contentType", "retryAfter"),
    ...timing,
  }),
);

export const faultShape = object({
  when: object({ method: text, path: text, nth: integer(1) }),
  times: oneOf("Input should be a positive integer or 'always'", integer(1), choice("always")),
  how: required(how),
});

/** The parts of a deployment that someone else could have changed. */
export function changeShape({ requests: { create, patch }, tiers, finallyDeleting }: Rules): ObjectShape {
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
    ...each(flag, "remote_reconciled", "is_preview", "is_managed_deep_agent", "new_revision"),
    tag_value_ids: texts,
    ...(tiers && { tiers: object({ compute_tier: nullable(text), database_tier: nullable(text) }) }),
  });
}

const failing = {
  fails: oneOf("Input should be a boolean or a status", flag, text),
  buildLog: texts,
  reason: text,
};
export const failingShape = object(failing);
export const holdShape = object({ stuck: flag });

/** One script, or one for each name. */
function scriptOf(message: string, ...alternatives: Shape[]): Shape {
  const one = oneOf(message, ...alternatives);
  const byName = required<Shape>({ kind: "free", of: one });
  return oneOf(message, ...alternatives, object({ byName, otherwise: one }));
}

export const settingsShape = object({
  rollout: scriptOf(
    "Input should be 'never', 'stuck', a list of statuses, or have one of the keys 'polls', 'afterMs', 'revision', 'byName'",
    choice("never", "stuck"),
    texts,
    object({ polls: required(count), ...failing }),
    object({ afterMs: required(count), ...failing }),
    object({ revision: required(texts) }),
  ),
  deletion: scriptOf(
    "Input should be 'never', or have one of the keys 'polls', 'afterMs', 'byName'",
    choice("never"),
    object({ polls: required(count), finalPolls: count }),
    object({ afterMs: required(count) }),
  ),
  ...each(count, "latency", "lag"),
  ...each(flag, "apps", "cloud"),
  secrets: choice("clear", "masked", "null", "omitted", "word", "tail", "chance"),
  normalizations: listOf(choice("rounds", "spells", "injects", "drops")),
  logs: object({ build: texts, deploy: texts }),
  accessToken: text,
  missing: texts,
});
