/** The diff: what differs between what the service has and what is declared, what that causes, and the smallest PATCH. */
import { deployment as fields, type Change, type Field, type Fields, type Leaf } from "../../schema/fields";
import { formatPath } from "../../schema/problems";
import type { Dialect } from "../dialects";
import type { Patch } from "./service";
import { isEqual, isObject, type Values } from "./values";

export interface FieldChange {
  /** `sourceConfig.resourceSpec.cpu` */
  readonly path: string;
  readonly kind: Change;
}

export interface Plan {
  /** The gravest thing that the changes cause; `none` when nothing is to be sent. */
  readonly kind: "none" | "settings" | "revision" | "replacement";
  readonly changes: readonly FieldChange[];
}

const gravity: readonly Change[] = ["local", "settings", "revision", "replacement"];

/** What it takes to come from `old` to `declared`. Values that are not known yet count as changed. */
export function planChanges(old: Values, declared: Values, dialect: Dialect): Plan {
  const changes = compareFields(fields, old, declared, [], dialect);
  const gravest = Math.max(0, ...changes.map(({ kind }) => gravity.indexOf(kind)));
  const kind = gravity[gravest]!;
  return { kind: kind === "local" ? "none" : kind, changes };
}

/** The paths that make the plan what it is, for the line that explains it. */
export function reasonsOf(plan: Plan): string[] {
  return plan.changes.filter(({ kind }) => kind === plan.kind).map(({ path }) => path);
}

function compareFields(
  table: Fields,
  old: Values,
  declared: Values,
  at: readonly string[],
  dialect: Dialect,
): FieldChange[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    const [before, after] = [old[name], declared[name]];
    if (isEqual(before, after)) return [];
    if (field.kind === "group" && isGroupOrAbsent(before) && isGroupOrAbsent(after)) {
      return compareFields(field.fields, before ?? {}, after ?? {}, path, dialect);
    }
    const kind = changeOf(field, path, after, dialect);
    return changedPaths(field, before, after, path).map((changed) => ({ path: formatPath(changed), kind }));
  });
}

function isGroupOrAbsent(value: unknown): value is Values | undefined {
  return value === undefined || isObject(value);
}

function changeOf(field: Field, path: readonly string[], after: unknown, dialect: Dialect): Change {
  // Leaving out what was chosen once keeps what was chosen.
  if (field.kind === "leaf" && field.onCreateOnly && after === undefined) return "local";
  const ruled = path.map((_, index) => dialect.changes[path.slice(0, index + 1).join(".")]).findLast(Boolean);
  if (ruled !== undefined) return ruled;
  return field.kind === "leaf" ? field.change : gravestOf(field.fields);
}

/** The gravest change that a group can cause, for a group that is not known yet. */
function gravestOf(table: Fields): Change {
  const kinds = Object.values(table).map((field) =>
    field.kind === "group" ? gravestOf(field.fields) : field.onCreateOnly ? "settings" : field.change,
  );
  return gravity[Math.max(...kinds.map((kind) => gravity.indexOf(kind)))]!;
}

/** Maps by name are explained name by name; all else by the field. */
function changedPaths(field: Field, before: unknown, after: unknown, path: readonly string[]): string[][] {
  const isMap = field.kind === "leaf" && field.list !== undefined;
  if (!isMap || !isGroupOrAbsent(before) || !isGroupOrAbsent(after)) return [[...path]];
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => !isEqual(before?.[name], after?.[name])).map((name) => [...path, name]);
}

/** The smallest PATCH for the plan: a key is there only if its value changed. */
export function patchFor(plan: Plan, old: Values, declared: Values): Patch {
  const patch: Record<string, unknown> = {};
  const { sourceConfig, sourceRevisionConfig, secrets, secretReferences } = fields;

  const config = changedValues(
    sourceConfig.fields,
    groupOf(old, "sourceConfig"),
    groupOf(declared, "sourceConfig"),
  );
  if (Object.keys(config).length > 0) patch["sourceConfig"] = config;
  if (!isEqual(old["secrets"], declared["secrets"])) patch["secrets"] = valueOr(secrets, declared["secrets"]);
  if (!isEqual(old["secretReferences"], declared["secretReferences"])) {
    patch["secretReferences"] = valueOr(secretReferences, declared["secretReferences"]);
  }
  if (plan.kind === "revision") {
    const [before, after] = [groupOf(old, "sourceRevisionConfig"), groupOf(declared, "sourceRevisionConfig")];
    const changed = changedValues(sourceRevisionConfig.fields, before, after);
    // Only the trigger changed: the current values make the revision.
    patch["sourceRevisionConfig"] = Object.keys(changed).length > 0 ? changed : after;
    if (declared["revisionSource"] !== undefined) patch["revisionSource"] = declared["revisionSource"];
  }
  return patch;
}

function changedValues(table: Fields, before: Values, after: Values): Values {
  const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
    // An empty group says the same as none.
    const absent = field.kind === "group" ? {} : undefined;
    if (isEqual(before[name] ?? absent, after[name] ?? absent)) return [];
    if (field.kind === "leaf" && field.onCreateOnly) return [];
    return [[name, after[name] ?? null]];
  });
  return Object.fromEntries(entries);
}

function groupOf(values: Values, name: string): Values {
  const group = values[name];
  return isObject(group) ? group : {};
}

/** What takes a value away: no secrets are an empty list, everything else is `null`. */
function valueOr(field: Leaf, value: unknown): unknown {
  return value ?? (field.list === "value" ? {} : null);
}
