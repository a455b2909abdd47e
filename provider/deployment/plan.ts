/** Plans an update: which fields changed, and the most severe effect of these changes. */
import type { Dialect } from "../dialects";
import { userWord } from "../dialects/words";
import {
  isEqual,
  isObject,
  isBelowUnknown,
  mayBeEqual,
  type Path,
  unknownValue,
  valueAt,
  type Values,
} from "../../schema/tree";
import { type ChangeEffect, type Field, isMap } from "../../schema/fields";
import { type Row, rows } from "../../schema/rows";
import { contentChanges, isSameContent } from "./content";
import { type FieldChange, type InMap, isSent, effectOfRow, removalOf, severestOf } from "./field-change";

export interface Plan {
  /** The most severe effect of the changes; `none` if there is nothing to send. */
  readonly effect: ChangeEffect;
  readonly changes: readonly FieldChange[];
}

/** Plans the update from `old` to `declared`. Unknown values count as changed. */
export function planChanges(old: Values, declared: Values, dialect: Dialect): Plan {
  const names = Object.keys({ ...old, ...declared })
    .filter((name) => !isEqual(old[name], declared[name]))
    .filter((name) => name !== "sourceDirectory" || !isSameContent(old, declared));
  const differing = names.length === 0 ? [] : rows.filter(({ path: [top] }) => names.includes(top!));
  const changes = [
    ...differing.flatMap((row) => changesOf(row, old, declared, dialect)),
    ...contentChanges(old, declared),
  ];
  return planOf(changes);
}

export function planOf(changes: readonly FieldChange[]): Plan {
  return { effect: severestOf(changes.map(({ effect }) => effect)), changes };
}

/** Changed lists within objects that can only be sent as a whole. */
export function listsIn(changes: readonly FieldChange[], before: Values, declared: Values): Path[] {
  return changes
    .filter(({ path, patchPath }) => patchPath.length < path.length)
    .map(({ path }) => path)
    .filter((path) => [before, declared].some((values) => Array.isArray(valueAt(values, path))));
}

/** A group that is not known yet is compared as a whole, and any other by its members. */
function changesOf(row: Row, old: Values, declared: Values, dialect: Dialect): FieldChange[] {
  const { path, field, patchPath } = row;
  const [before, after] = [valueAt(old, path), valueAt(declared, path)];
  if (isEqual(before, after)) return [];
  if ([old, declared].some((values) => isBelowUnknown(values, path.slice(0, -1)))) return [];
  const haveMembers = isGroupOrAbsent(before) && isGroupOrAbsent(after);
  if (field.kind === "group" && haveMembers) return [];
  const named = field.kind === "leaf" && field.isNamed ? bothValues(before, after, path, dialect) : {};
  const first = before === undefined && { isFirst: true as const };
  const caused = { patchPath, ...effectOf(row, before, after, dialect), ...named, ...first };
  // A field that is not known yet may turn out to be absent. A new name in a map is there for certain.
  const isUnknown = after === unknownValue || mayBeEqual(before, after);
  if (!isMap(field) || !haveMembers) return [{ path, ...caused, isUnknown }];
  return changedNames(before ?? {}, after ?? {}).map(([name, inMap]) => {
    return { path: [...path, name], ...caused, inMap, isUnknown: mayBeEqual(before?.[name], after?.[name]) };
  });
}

/** `SERVERLESS_S => SERVERLESS_M` */
function bothValues(
  before: unknown,
  after: unknown,
  path: Path,
  dialect: Dialect,
): Pick<FieldChange, "summary"> {
  if (typeof before !== "string" || typeof after !== "string") return {};
  const [from, to] = [before, after].map((value) => userWord(value, path.join("."), dialect));
  return { summary: `${from} => ${to}` };
}

function effectOf(
  row: Row,
  before: unknown,
  after: unknown,
  dialect: Dialect,
): Pick<FieldChange, "effect" | "cannotClear"> {
  const { field, path } = row;
  const effect = effectOfRow(row, dialect);
  // Removing an immutable value keeps it. If the old value is unknown, assumes that it equals the declared one.
  const isKept = before === undefined || after === undefined || isResolved(field, after, before);
  if (effect === "replacement" && isKept) return { effect: "none", cannotClear: false };
  if (after === undefined && isSent(field, effect) && removalOf(path, dialect) === "never")
    return { effect: "none", cannotClear: true };
  return { effect, cannotClear: false };
}

/** Whether the service returned the declared value in resolved form. */
function isResolved(field: Field, declared: unknown, observed: unknown): boolean {
  if (field.kind === "group" || typeof declared !== "string" || typeof observed !== "string") return false;
  return field.resolvesTo?.(declared, observed, {}) ?? false;
}

function isGroupOrAbsent(value: unknown): value is Values | undefined {
  return value === undefined || isObject(value);
}

function changedNames(before: Values, after: Values): (readonly [name: string, InMap])[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => !isEqual(before[name], after[name]))
    .map((name) => {
      if (!Object.hasOwn(before, name)) return [name, "added"];
      return [name, Object.hasOwn(after, name) ? "changed" : "removed"];
    });
}
