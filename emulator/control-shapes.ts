import { choice, nullable, object, required } from "./rules/fields";
import type { Rules } from "./rules/rules";
import type { ObjectShape, Shape } from "./shape";

/** What the control routes accept. A typing mistake there would make a test prove nothing. */

const count: Shape = { kind: "number", integer: true, min: 1 };
const status: Shape = { kind: "number", integer: true, min: 200, max: 599 };
const ms: Shape = { kind: "number", integer: true, min: 0 };
const text: Shape = { kind: "string" };
const flag: Shape = { kind: "boolean" };

/** The first key that is found names the kind. */
export const faultKinds: readonly { readonly key: string; readonly shape: ObjectShape }[] = [
  { key: "reset", shape: object({ reset: choice("before", "after") }) },
  { key: "hang", shape: object({ hang: flag, work: flag }) },
  { key: "truncate", shape: object({ truncate: flag }) },
  { key: "html", shape: object({ html: flag, status, after: flag }) },
  { key: "slowMs", shape: object({ slowMs: ms }) },
  { key: "drip", shape: object({ drip: flag, everyMs: ms }) },
  { key: "redirect", shape: object({ redirect: text, status, after: flag }) },
  { key: "emptyBody", shape: object({ emptyBody: flag, status, after: flag }) },
  { key: "wrongShape", shape: object({ wrongShape: flag, after: flag }) },
  { key: "hugeBody", shape: object({ hugeBody: ms, status, after: flag }) },
  { key: "dateAheadMs", shape: object({ dateAheadMs: { kind: "number", integer: true } }) },
  { key: "extraFields", shape: object({ extraFields: flag }) },
  {
    key: "status",
    shape: object({
      status,
      body: { kind: "any" },
      headers: { kind: "free" },
      contentType: text,
      retryAfter: text,
      after: flag,
    }),
  },
];

export const controlShapes = {
  fault: object({
    when: object({ method: text, path: text, nth: count }),
    times: { kind: "any" },
    how: required({ kind: "free" }),
  }),

  /** Drift: what somebody else could have changed. */
  change: ({ requests: { create, patch }, status: words }: Rules): ObjectShape => {
    const { source_config, source_revision_config, secrets, secret_references } = patch.fields;
    const text = nullable<Shape>({ kind: "string" });
    return object({
      ...defined({ source_config: create.fields["source_config"] ?? source_config }),
      ...defined({ source_revision_config, secrets, secret_references }),
      status: choice(...words.all),
      image_version: text,
      latest_revision_id: nullable<Shape>({ kind: "uuid" }),
      active_revision_id: nullable<Shape>({ kind: "uuid" }),
      remote_reconciled: flag,
      tag_value_ids: { kind: "list", of: { kind: "string" } },
      new_revision: flag,
    });
  },
};

function defined(shapes: Record<string, Shape | undefined>): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(shapes).flatMap(([key, shape]) =>
      shape === undefined ? [] : [[key, { ...shape, required: false }]],
    ),
  );
}
