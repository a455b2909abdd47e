/**
 * The plan of an update: which fields changed, the most severe effect of these changes, and what an `up` does, in at most two steps.
 * The preview prints it, and `reconcile` carries it out:
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
  isAfterFirstRevision,
  isSent,
  effectOfRow,
  removalOf,
  severestOf,
} from "./field-change";
import { withShown } from "./shown";
import type { Planned, State } from "./state";

export interface Plan {
  /** The most severe effect of the changes; `none` if there is nothing to send. */
  readonly effect: ChangeEffect;
  readonly changes: readonly FieldChange[];
  /** Of the changes, those that are sent first. */
  readonly now: readonly FieldChange[];
  /** Those that follow, if a revision is active then: without one, the service refuses them. */
  readonly later: readonly FieldChange[];
  /** Whether it waits for a rollout that an earlier run did not see finish. */
  readonly resumes: boolean;
}

/** A state, or as much of it as the inputs of the last check say. */
type Before = Pick<Planned, "arguments"> & Partial<Pick<State, "observed" | "private">>;

/** Unknown values count as changed. */
export function plan(
  before: Before,
  { arguments: args }: Pick<Planned, "arguments">,
  dialect: Dialect,
): Plan {
  const { arguments: old, observed, private: { shown, rollout } = {} } = before;
  const names = Object.keys({ ...old, ...args })
    .filter((name) => !isEqual(old[name], args[name]))
    .filter((name) => name !== "sourceDirectory" || !isSameContent(old, args));
  const versions = { old, live: names.length === 0 ? old : withShown(old, shown, args, dialect), args };
  const changes = [
    ...rows
      .filter(({ path: [top] }) => names.includes(top!))
      .flatMap((row) => changesOf(row, versions, dialect)),
    ...contentChanges(old, args),
  ];
  const sent = changes.filter(({ effect }) => effect !== "none");
  // It is missing in a state written by hand.
  const isActive = typeof observed?.activeRevisionId === "string";
  const isLater = ({ path }: FieldChange) => !isActive && isAfterFirstRevision(path);
  return {
    effect: effectOf(changes),
    changes,
    now: sent.filter((each) => !isLater(each)),
    later: sent.filter(isLater),
    resumes: rollout !== undefined && args["skipAwait"] !== true,
  };
}

/** The most severe effect of changes. */
export function effectOf(changes: readonly FieldChange[]): ChangeEffect {
  return severestOf(changes.map(({ effect }) => effect));
}

interface Versions {
  /** The arguments before. */
  readonly old: Values;
  /** The same, with what the service has of what is declared now. */
  readonly live: Values;
  readonly args: Values;
}

/** A group that is not known yet is compared as a whole, and any other by its members. */
function changesOf(row: Row, { old, live, args }: Versions, dialect: Dialect): FieldChange[] {
  const { path, field, patchPath } = row;
  const [declaredBefore, before, after] = [old, live, args].map((values) => valueAt(values, path));
  if (isEqual(declaredBefore, after)) return [];
  if ([old, args].some((values) => isBelowUnknown(values, path.slice(0, -1)))) return [];
  const haveMembers = isGroupOrAbsent(before) && isGroupOrAbsent(after);
  if (field.kind === "group" && haveMembers) return [];
  if (isEqual(before, after)) return [{ path, patchPath, effect: "none", cannotClear: false, isThere: true }];
  const named = field.kind === "leaf" && field.isNamed ? bothValues(before, after, path, dialect) : {};
  const wasDeclared = declaredBefore !== undefined;
  const caused = { patchPath, ...consequence(row, before, after, wasDeclared, dialect), ...named };
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

function consequence(
  row: Row,
  before: unknown,
  after: unknown,
  wasDeclared: boolean,
  dialect: Dialect,
): Pick<FieldChange, "effect" | "cannotClear"> {
  const { field, path } = row;
  const effect = effectOfRow(row, dialect);
  // Removing an immutable value keeps it. If the old value is unknown, assumes that it equals the declared one.
  const isKept = before === undefined || after === undefined || isResolved(field, after, before);
  if (effect === "replacement" && isKept)
    return { effect: "none", cannotClear: wasDeclared && after === undefined };
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
