/**
 * Plans an update: which fields changed, the most severe effect of these changes, and what an `up` does, in at most two steps. The
 * preview prints them, and `reconcile` carries them out:
 *
 * | The state before      | Declared                                  | Steps                                                 |
 * | --------------------- | ----------------------------------------- | ----------------------------------------------------- |
 * | No unfinished rollout | The same, or what the service has already | None                                                  |
 * | An unfinished rollout | The same                                  | Waits for it, unless `skipAwait` is declared          |
 * | Any                   | Something else                            | Sends the difference, and waits for its rollout       |
 * | No active revision    | Also a field that needs one               | Sends the rest (or only waits), then sends that field |
 */
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
import {
  type FieldChange,
  type InMap,
  isOnceActive,
  isSent,
  effectOfRow,
  removalOf,
  severestOf,
} from "./field-change";
import { argumentsBefore } from "./shown";
import type { Planned, State } from "./state";

export interface Plan {
  /** The most severe effect of the changes; `none` if there is nothing to send. */
  readonly effect: ChangeEffect;
  readonly changes: readonly FieldChange[];
}

/** Plans the update from `old` to `declared`. Unknown values count as changed. */
export function changesBetween(old: Values, declared: Values, dialect: Dialect): Plan {
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

/** What an update of a deployment does. */
export interface UpdatePlan extends Plan {
  /** Whether it waits for a rollout that an earlier run did not see finish. */
  readonly resumes: boolean;
  /** What is sent, or only the wait for an earlier rollout. Undefined if there is nothing to do. */
  readonly now: Plan | "wait" | undefined;
  /** Follows `now`, if a revision is active then: without one, the service refuses these changes. */
  readonly later: Plan | undefined;
}

export function planUpdate(before: State, { arguments: args }: Planned, dialect: Dialect): UpdatePlan {
  const { effect, changes } = changesBetween(argumentsBefore(before, args, dialect), args, dialect);
  const resumes = before.private.rollout !== undefined && args["skipAwait"] !== true;
  // It is missing in a state written by hand.
  const isActive = typeof before.observed.activeRevisionId === "string";
  const isLater = ({ effect, path }: FieldChange) => effect !== "none" && !isActive && isOnceActive(path);
  const sent = planOf(changes.filter((each) => !isLater(each)));
  const rest = planOf(changes.filter(isLater));
  const later = rest.effect === "none" ? undefined : rest;
  const wait = resumes || later !== undefined ? "wait" : undefined;
  return { effect, changes, resumes, now: sent.effect === "none" ? wait : sent, later };
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
