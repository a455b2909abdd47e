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

/** Whether objects that are sent as a whole may contain more than the program declares. */
function mayLose(patch: Patch, { private: { takenOver } }: State, dialect: Dialect): boolean {
  const isShared = (path: Path) => takenOver || removalOf(path, dialect) === "read-modify-write";
  return wholesOf(patch).some(isShared);
}

/** Whether the patch contains something of others, so that the deployment is read before it is sent. */
export function holdsOthers(patch: Patch, state: State, { ignoreChanges = [], dialect }: Context): boolean {
  const isIgnored = ignoredIn(patch, ignoreChanges).length > 0;
  const isPartIgnored = wholesOf(patch).some((path) => isTouched(path, ignoreChanges));
  return isIgnored || isPartIgnored || mayLose(patch, state, dialect);
}

/**
 * The patch, with the service's values for what belongs to others.
 *
 * @returns `intended`: the arguments that the service has afterwards
 */
export function withOthers(
  { dialect, log, ignoreChanges = [] }: Context,
  plan: Plan,
  state: State,
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
  const drifted = withDifferences(declared, driftFrom(declared, theirs, state.private.seen));
  const had = inOrderOf(theirs, state.arguments, ignoreChanges);
  const reach = { ignoreChanges, dialect, had };
  const withIgnored = <T extends object>(args: T): T => {
    const known = withValuesAt(args, ignored, drifted);
    return wholesOf(draft).reduce((all, path) => {
      const value = withReached(valueAt(all, path), valueAt(theirs, path), path, reach);
      return value === undefined ? all : withValueAt(all, path, value);
    }, known);
  };
  const intended = withIgnored(declared);
  refuseHidden(asObject(intended.secrets), asObject(declared.secrets));
  const patch = patchFor(plan, intended, dialect);
  if (!mayLose(draft, state, dialect)) return { patch, intended };
  const undeclared = undeclaredSecrets(state, intended);
  const before = withIgnored(state.arguments);
  return { patch: withUndeclared(patch, before, intended, observed, dialect, undeclared), intended };
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

type Reach = Required<Pick<Context, "ignoreChanges" | "dialect">> & { readonly had: unknown };

/**
 * What is declared, with what only the service has and `ignoreChanges` reaches: lists and their items as a whole, of an object what
 * the paths cover. What the program declared before and no longer does is removed.
 */
function withReached(own: unknown, shown: unknown, at: Path, reach: Reach): unknown {
  const { ignoreChanges, dialect, had } = reach;
  if (!isTouched(at, ignoreChanges)) return own;
  const isMissing = own === undefined;
  const isWhole = Array.isArray(shown) || typeof at.at(-1) === "number";
  if (isMissing && (isWhole || !isObject(shown))) {
    const isReached = isWhole || isCovered(at, ignoreChanges);
    const isTheirs = isReached && valueAt(had, at) === undefined && isChosen(at, shown, dialect);
    return isTheirs ? shown : undefined;
  }
  const inside = (key: string | number) =>
    withReached(valueAt(own, [key]), valueAt(shown, [key]), [...at, key], reach);
  if (Array.isArray(own) && Array.isArray(shown) && !isCovered(at, ignoreChanges)) {
    const { length } = own.length > shown.length ? own : shown;
    return Array.from({ length }, (_, index) => inside(index)).filter((item) => item !== undefined);
  }
  if (!isObject(shown) || !(isMissing || isObject(own))) return own;
  const entries = Object.keys({ ...asObject(own), ...shown }).map((key) => [key, inside(key)] as const);
  const known = entries.filter(([, value]) => value !== undefined);
  return isMissing && known.length === 0 ? undefined : Object.fromEntries(known);
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

/**
 * Adds undeclared values of the service to a patch. Values that were declared before and no longer are get removed.
 *
 * @param undeclared names of undeclared secrets, for a service that does not list secrets
 * @throws if the service hides the values of undeclared secrets
 */
export function withUndeclared(
  patch: Patch,
  before: Values,
  declared: Values,
  observed: Observed,
  dialect: Dialect,
  undeclared: readonly string[] = [],
): Patch {
  const secrets = observed.secrets ?? Object.fromEntries(undeclared.map((name) => [name, null]));
  const all: Values = { ...observed, secrets };
  return wholesOf(patch).reduce<Values>((result, path) => {
    const [shown, old, own] = [all, before, declared].map((values) => asObject(valueAt(values, path)));
    const chosen = Object.entries(shown!).filter(([name, value]) =>
      isChosen([...path, name], value, dialect),
    );
    const whole = merged(Object.fromEntries(chosen), old!, own!);
    if (path[0] === "secrets") refuseHidden(whole, own!);
    return Object.keys(whole).length === 0 ? result : withValueAt(result, path, whole);
  }, patch as Values);
}

/** Whether someone has chosen a value that the service shows. */
function isChosen(path: Path, value: unknown, { defaults }: Dialect): boolean {
  return path[0] === "secrets" || (!isNothing(value) && !isEqual(defaults[path.join(".")], value));
}

function merged(shown: Values, before: Values, declared: Values): Values {
  const entries = Object.keys({ ...shown, ...declared })
    .map((key): [string, unknown] => {
      const [there, old, own] = [shown, before, declared].map((values) => valueAt(values, [key]));
      return [key, mergedMember(there, old, own)];
    })
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function mergedMember(shown: unknown, before: unknown, declared: unknown): unknown {
  if (isObject(shown) && isObject(declared ?? before)) {
    const rest = merged(shown, asObject(before), asObject(declared));
    return declared === undefined && Object.keys(rest).length === 0 ? undefined : rest;
  }
  if (declared === undefined) return before === undefined ? shown : undefined;
  // If the program has not changed a list, keeps the service's additions to its items.
  const hasStayed = Array.isArray(declared) && isEqual(before, declared);
  return hasStayed && differencesInData(declared, shown).length === 0 ? shown : declared;
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
