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
  isWithin,
  mapValues,
  type Path,
  valueAt,
  type Values,
  withoutAbsent,
  withValueAt,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { coveredPaths, isCovered, isTouched, type PathPattern } from "../../schema/property-path";
import { secretsOfOthers } from "./baseline";
import { argumentsIn, differencesFrom, differencesInData, isHidden, withDifferences } from "./drift";
import { patchFor } from "./patch";
import { isOnceActive, removalOf } from "./field-change";
import type { Plan } from "./plan";
import type { Context } from "./context";
import type { Observed, Patch } from "./service";
import type { CheckedArguments, State } from "./state";

/** Paths of objects that can only be sent as a whole. */
const wholes: readonly Path[] = rows.filter(({ isWhole }) => isWhole).map(({ path }) => path);

function wholesOf(patch: Patch): Path[] {
  return wholes.filter((path) => valueAt(patch, path) !== undefined);
}

/** Whether an object that is sent as a whole may contain values that the program never declared, and that must stay. */
export function keepsUndeclared(
  path: Path,
  { private: { takenOver = false } }: Before,
  dialect: Dialect,
): boolean {
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
  const listed = argumentsIn(observed)["secrets"] as Observed["secrets"];
  const secrets = secretsShown(listed, before, declared);
  for (const [first, name] of ignoredIn(draft, ignoreChanges)) {
    if (first === "secrets" && valueAt(secrets, [name!]) !== valueAt(listed, [name!]))
      log.warning(
        `\`ignoreChanges\` leaves the secret ${name} to others, but the service does not show its value: the last known ` +
          "value is sent",
      );
  }
  const shown = { ...observed, secrets };
  const theirs = differencesFrom(declared, observed).filter(
    ({ path }) =>
      isCovered(path, ignoreChanges) && !isOnceActive(path) && wholes.every((each) => !isWithin(path, each)),
  );
  const intended = wholesOf(draft).reduce(
    (all, path) => {
      const now = valueAt(shown, path);
      if (now === undefined) return all;
      const own = valueAt(declared, path);
      const had = valueAt(before.arguments, path);
      const othersHaveAll = keepsUndeclared(path, before, dialect);
      const chosen = chosenIn(now, asObject(own), path, dialect);
      const part = { own, shown: chosen, had, at: path, othersHaveAll, ignoreChanges };
      return withValueAt(all, path, mergedMembers(part));
    },
    withDifferences(declared, theirs) as CheckedArguments,
  );
  const unknown = Object.entries(asObject(intended.secrets)).filter(([, value]) => value === hidden);
  if (unknown.length > 0)
    throw new DeploymentError(`${hiddenSecretsText(unknown.map(([name]) => name))}. Nothing was sent`);
  return { patch: patchFor(plan, intended, dialect), intended };
}

/** Secrets as the service shows them; of those that it hides or does not list, the last known values. */
function secretsShown(listed: Observed["secrets"], before: Before, declared: CheckedArguments): Values {
  const unknown = secretsOfOthers(before, declared).map((name) => [name, hidden]);
  const known = { ...Object.fromEntries(unknown), ...asObject(declared.secrets) } as Values;
  return mapValues(listed ?? known, (value, name) => (isHidden(value) ? (known[name] ?? hidden) : value));
}

/** Stands for the value of a secret that nobody knows, and is never sent. */
const hidden = Symbol("hidden");

/** A part of an object that is sent as a whole. */
interface Part extends Required<Pick<Context, "ignoreChanges">> {
  /** What is declared. */
  readonly own: unknown;
  readonly shown: unknown;
  /** What was declared before: what is no longer declared is removed. */
  readonly had: unknown;
  readonly at: Path;
  /** Whether all that was never declared belongs to others, and not only what `ignoreChanges` reaches. */
  readonly othersHaveAll: boolean;
}

/**
 * What is sent for a part. The first row that applies decides:
 *
 * | Part                                                       | Sent                               |
 * | ---------------------------------------------------------- | ---------------------------------- |
 * | An item that the program adds to a list                    | What is declared                   |
 * | `ignoreChanges` covers it                                  | What the service shows             |
 * | Nothing in it belongs to others                            | What is declared                   |
 * | Only the service has it, and the program never declared it | What the service shows             |
 * | An item that the service no longer has                     | What is declared                   |
 * | A list, or an object                                       | Its items, or members, each merged |
 * | Anything else                                              | What is declared                   |
 */
function merged(part: Part): unknown {
  const { own, shown, had, at, ignoreChanges, othersHaveAll } = part;
  const isItem = typeof at.at(-1) === "number";
  if (isItem && own !== undefined && had === undefined && isNothing(shown)) return own;
  if (isCovered(at, ignoreChanges)) return shown ?? undefined;
  if (!othersHaveAll && !isTouched(at, ignoreChanges)) return own;
  const isTheirs = own === undefined && had === undefined;
  // If others own only some members of an object, each member is decided by itself.
  if (isTheirs && (othersHaveAll || isItem || Array.isArray(shown))) return shown;
  if (isItem && isNothing(shown)) return own;
  if (Array.isArray(own)) return unlessGone(mergedList(own, part), part);
  // An object that is not declared, or no longer, may have members of others.
  const hasMembers = isObject(own) || (own === undefined && isObject(shown) && !isItem);
  return hasMembers ? unlessGone(mergedMembers(part), part) : own;
}

function mergedMembers(part: Part): Values {
  const members = mapValues({ ...asObject(part.own), ...asObject(part.shown) }, (_, name) => {
    const [own, shown, had] = [part.own, part.shown, part.had].map((each) => valueAt(each, [name]));
    return merged({ ...part, own, shown, had, at: [...part.at, name] });
  });
  return withoutAbsent(members);
}

/** Nothing, if the result is empty because the service has nothing there. */
function unlessGone(result: object, { own, shown }: Part): unknown {
  const isStaying = own !== undefined && (isNothing(own) || (shown ?? undefined) !== undefined);
  return isNothing(result) && !isStaying ? undefined : result;
}

/** A list that the program has not changed keeps what others have added to it and to its items. */
function mergedList(own: readonly unknown[], part: Part): readonly unknown[] {
  const { at, ignoreChanges, othersHaveAll } = part;
  const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const [shown, had] = [listIn(part.shown), listIn(part.had)];
  if (isCovered([...at, "*"], ignoreChanges)) {
    // The engine covers the places that were there before: the program may still add and remove items.
    const [found, removed] = [byName(shown), byName(had.slice(own.length))];
    const added = own.slice(had.length).filter((item) => !found.has(nameOf(item)));
    return [...shown.filter((item) => !removed.has(nameOf(item))), ...added];
  }
  const theirs = inOrderOf(own, shown, (index) => isCovered([...at, index, "name"], ignoreChanges));
  const all = (own.length > theirs.length ? own : theirs).map((_, index) => own[index] ?? theirs[index]);
  const before = inOrderOf(all, had);
  const items = all
    .map((_, index) => {
      const [mine, shown, had] = [own[index], theirs[index], before[index]];
      return merged({ ...part, own: mine, shown, had, at: [...at, index], othersHaveAll: false });
    })
    .filter((item) => item !== undefined);
  const isStaying =
    othersHaveAll &&
    isEqual(own, had) &&
    differencesInData(items, theirs.slice(0, items.length)).length === 0;
  return isStaying ? theirs : items;
}

/**
 * The items that the service shows in the declared order, and at the end those that only the service has. As they are, if names do
 * not tell them apart.
 *
 * @param isRenamed whether others may rename the item of a place, which then has the first one that is not declared
 */
function inOrderOf(
  declared: readonly unknown[],
  shown: readonly unknown[],
  isRenamed: (index: number) => boolean = () => false,
): readonly unknown[] {
  const [own, found] = [byName(declared), byName(shown)];
  if (own.size < declared.length || found.size < shown.length) return shown;
  const others = shown.filter((item) => !own.has(nameOf(item)));
  const renamed = declared.flatMap((item, index) =>
    isRenamed(index) && !found.has(nameOf(item)) ? [index] : [],
  );
  const inPlace = declared.map((item, index) => found.get(nameOf(item)) ?? others[renamed.indexOf(index)]);
  return [...inPlace, ...others.slice(renamed.length)];
}

function nameOf(item: unknown): unknown {
  return valueAt(item, ["name"]);
}

function byName(items: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  return new Map(items.filter((item) => nameOf(item) !== undefined).map((item) => [nameOf(item), item]));
}

/** What is declared or someone has chosen, of an object that the service shows. */
function chosenIn(shown: unknown, own: Values, at: Path, { defaults }: Dialect): Values {
  const isDefault = (name: string, value: unknown) =>
    isNothing(value) || isEqual(defaults[[...at, name].join(".")], value);
  return Object.fromEntries(
    Object.entries(asObject(shown)).filter(
      ([name, value]) => Object.hasOwn(own, name) || !isDefault(name, value),
    ),
  );
}

/** What was sent, without what `ignoreChanges` covers. A list of which it covers a part is left out as a whole. */
export function withoutIgnored(sent: Values, { ignoreChanges = [] }: Context): Values {
  const paths = ignoredIn(sent, ignoreChanges).map((path) => {
    const index = path.findIndex((part) => typeof part === "number");
    return index === -1 ? path : path.slice(0, index);
  });
  return paths.reduce((rest, path) => withValueAt(rest, path, undefined), sent);
}

/** Without fields that wait for an active revision: they are sent once, and only later changes are left to others. */
function ignoredIn(values: object, ignoreChanges: readonly PathPattern[]): Path[] {
  return coveredPaths(values, ignoreChanges).filter((path) => !isOnceActive(path));
}

export function hiddenSecretsText(names: readonly string[]): string {
  return (
    `the service replaces all secrets at once and hides the values of ${names.join(", ")}, which the program does not declare: ` +
    "this update would remove them. Declare them too"
  );
}
