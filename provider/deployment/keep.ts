/**
 * Values that a change must send but not modify. Some objects can only be sent as a whole, and those of an imported or adopted
 * deployment may contain more than the program declares. Paths in `ignoreChanges` belong to others, and the engine only has their
 * last known value. Both are read before the write, and sent with the service's current values.
 */
import { rows } from "../../schema/rows";
import {
  asObject,
  isEqual,
  isNothing,
  isObject,
  mapValues,
  type Path,
  valueAt,
  type Values,
  withValueAt,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { coveredPaths, isCovered, isTouched, type PathPattern } from "../property-path";
import { differencesInData, isHidden, withDifferences } from "./drift";
import { driftFrom, undeclaredSecrets } from "./baseline";
import { patchFor } from "./patch";
import { isOnceActive, removalOf } from "./field-change";
import type { Plan } from "./plan";
import type { Context } from "./context";
import type { Observed, Patch } from "./service";
import type { CheckedArguments, State } from "./state";

/** Paths of objects that can only be sent as a whole. */
const wholes: readonly Path[] = rows.filter(({ path, wholeAt }) => path === wholeAt).map(({ path }) => path);

function wholesOf(patch: Patch): Path[] {
  return wholes.filter((path) => valueAt(patch, path) !== undefined);
}

/** Whether an object that is sent as a whole may contain values that the program never declared, and that must stay. */
function keepsUndeclared(path: Path, { private: { takenOver = false } }: Before, dialect: Dialect): boolean {
  return takenOver || removalOf(path, dialect) === "read-modify-write";
}

/** Whether the patch contains something of others, so that the deployment is read before it is sent. */
export function holdsOthers(patch: Patch, state: State, { ignoreChanges = [], dialect }: Context): boolean {
  const mayHold = (path: Path) => isTouched(path, ignoreChanges) || keepsUndeclared(path, state, dialect);
  return ignoredIn(patch, ignoreChanges).length > 0 || wholesOf(patch).some(mayHold);
}

type Before = Pick<State, "arguments" | "private">;

/**
 * The patch, with the service's values for what belongs to others.
 *
 * @returns `intended`: the arguments that the service has afterwards
 * @throws if the service hides a secret that the patch must carry along
 */
export function withOthers(
  { dialect, log, ignoreChanges = [] }: Pick<Context, "dialect" | "log" | "ignoreChanges">,
  plan: Plan,
  before: Before,
  declared: CheckedArguments,
  observed: Observed,
): { patch: Patch; intended: CheckedArguments } {
  const draft = patchFor(plan, declared, dialect);
  const ignored = ignoredIn(draft, ignoreChanges);
  for (const [first, name] of ignored) {
    if (first !== "secrets" || !isHidden(observed.secrets?.[String(name)])) continue;
    log.warning(
      `\`ignoreChanges\` leaves the secret ${name} to others, but the service does not show its value: the last known ` +
        "value is sent",
    );
  }
  const theirs = inOrderOf(declared, { ...observed }, ignoreChanges) as Observed;
  const drifted = withDifferences(declared, driftFrom(declared, theirs, before.private.seen));
  // A service that does not list secrets has those that it had.
  const hidden = Object.fromEntries(undeclaredSecrets(before, declared).map((name) => [name, null]));
  const shown = { ...theirs, secrets: theirs.secrets ?? hidden };
  const had = inOrderOf(theirs, before.arguments, ignoreChanges);
  const intended = wholesOf(draft).reduce(
    (all, path) => {
      const isStaying = (list: Path) => isEqual(valueAt(before.arguments, list), valueAt(declared, list));
      const others = { ignoreChanges, had, isStaying, hasAll: keepsUndeclared(path, before, dialect) };
      const chosen = chosenIn(valueAt(shown, path), path, dialect);
      const value = merged(valueAt(all, path), chosen, path, others);
      return value === undefined ? all : withValueAt(all, path, value);
    },
    withValuesAt(declared, ignored, drifted),
  );
  refuseHidden(asObject(intended.secrets), asObject(declared.secrets));
  return { patch: patchFor(plan, intended, dialect), intended };
}

/** Lists of the service with named items in the declared order, what only the service has at the end. */
function inOrderOf(declared: unknown, shown: unknown, by: readonly PathPattern[], at: Path = []): unknown {
  if (!isTouched(at, by)) return shown;
  if (isObject(declared) && isObject(shown))
    return mapValues(shown, (value, key) => inOrderOf(valueAt(declared, [key]), value, by, [...at, key]));
  if (!Array.isArray(declared) || !Array.isArray(shown)) return shown;
  const isRenamed = [...(declared as unknown[]), ...(shown as unknown[])].some((_, index) =>
    isCovered([...at, index, "name"], by),
  );
  const items: readonly unknown[] = isRenamed ? shown : inOrderOfNames(declared, shown);
  return items.map((item, index) => inOrderOf(declared[index], item, by, [...at, index]));
}

/** As they are, if names do not tell the items apart. */
function inOrderOfNames(declared: readonly unknown[], shown: readonly unknown[]): readonly unknown[] {
  const [own, found] = [byName(declared), byName(shown)];
  if (own.size < declared.length || found.size < shown.length) return shown;
  const others = [...found].filter(([name]) => !own.has(name));
  return [...[...own.keys()].map((name) => found.get(name)), ...others.map(([, item]) => item)];
}

function byName(items: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const named = items.map((item) => [valueAt(item, ["name"]), item] as const);
  return new Map(named.filter(([name]) => name !== undefined));
}

/** Whose the parts of an object are that is sent as a whole. */
interface Others extends Required<Pick<Context, "ignoreChanges">> {
  /** What the program declared before: what it no longer declares is removed. */
  readonly had: unknown;
  /** Whether all that was never declared is theirs, and not only what `ignoreChanges` reaches. */
  readonly hasAll: boolean;
  /** Whether the program has not changed a list. */
  readonly isStaying: (path: Path) => boolean;
}

/**
 * What is declared, with what belongs to others and only the service shows: of an object its members, of a list only whole items.
 * `ignoreChanges` reaches a list and its items as a whole, and of an object what the paths cover.
 */
function merged(own: unknown, shown: unknown, at: Path, others: Others): unknown {
  const { ignoreChanges, had, hasAll } = others;
  if (!hasAll && !isTouched(at, ignoreChanges)) return own;
  const isNew = own === undefined && valueAt(had, at) === undefined;
  const isPart = Array.isArray(shown) || typeof at.at(-1) === "number";
  if (isNew && hasAll) return shown;
  if (Array.isArray(own) && Array.isArray(shown)) return mergedList(own, shown, at, others);
  if (isObject(shown) && (isObject(own) || (own === undefined && !isPart))) {
    const names = Object.keys({ ...asObject(own), ...shown });
    const members = names
      .map((name) => [name, merged(valueAt(own, [name]), shown[name], [...at, name], others)] as const)
      .filter(([, value]) => value !== undefined);
    return own === undefined && members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const isTheirs = isNew && (isPart || isCovered(at, ignoreChanges)) && !isNothing(shown);
  return isTheirs ? shown : own;
}

/** A list that the program has not changed keeps what the service has added to its items. */
function mergedList(own: unknown[], shown: unknown[], at: Path, others: Others): unknown[] {
  const { ignoreChanges, hasAll, isStaying } = others;
  const isEntered = isTouched(at, ignoreChanges) && !isCovered(at, ignoreChanges);
  const { length } = isEntered && shown.length > own.length ? shown : own;
  const inside = { ...others, hasAll: false };
  const item = (_: unknown, index: number) => merged(own[index], shown[index], [...at, index], inside);
  const items = isEntered ? Array.from({ length }, item).filter((each) => each !== undefined) : own;
  return hasAll && isStaying(at) && differencesInData(items, shown).length === 0 ? shown : items;
}

/** What someone has chosen, of an object that the service shows. */
function chosenIn(shown: unknown, at: Path, { defaults }: Dialect): Values {
  const isChosen = ([name, value]: [string, unknown]) =>
    at[0] === "secrets" || (!isNothing(value) && !isEqual(defaults[[...at, name].join(".")], value));
  return Object.fromEntries(Object.entries(asObject(shown)).filter(isChosen));
}

/** What was sent, without what `ignoreChanges` covers. A list of which it covers a part is left out as a whole. */
export function withoutIgnored(sent: Values, { ignoreChanges = [] }: Context): Values {
  const paths = ignoredIn(sent, ignoreChanges).map((path) => {
    const index = path.findIndex((part) => typeof part === "number");
    return index === -1 ? path : path.slice(0, index);
  });
  return withValuesAt(sent, paths, {});
}

/**
 * What waits for an active revision is in a patch until it was sent once: the option leaves later changes to others, which the
 * engine then never shows as changed.
 */
function ignoredIn(values: object, ignoreChanges: readonly PathPattern[]): Path[] {
  return coveredPaths(values, ignoreChanges).filter((path) => !isOnceActive(path));
}

/** Items of a list that others removed keep their declared values. */
function withValuesAt<T extends object>(all: T, paths: readonly Path[], values: Values): T {
  return paths.reduce((result, path) => {
    const item = path.slice(0, path.findLastIndex((part) => typeof part === "number") + 1);
    const isGone = item.length > 0 && isNothing(valueAt(values, item));
    return isGone ? result : withValueAt(result, path, valueAt(values, path));
  }, all);
}

function refuseHidden(secrets: Values, declared: Values): void {
  const names = Object.keys(secrets).filter((name) => !Object.hasOwn(declared, name));
  const hidden = names.filter((name) => isHidden(secrets[name]));
  if (hidden.length === 0) return;
  throw new DeploymentError(
    `the service replaces all secrets at once and hides the values of ${hidden.join(", ")}, which the program does not declare: ` +
      "this update would remove them. Declare them too. Nothing was sent",
  );
}
