/**
 * The one comparison. Of each argument it knows three values: what the service showed last (`was`), what it shows now (`is`), and
 * what the program declares (`wants`). Drift, what an update still has to send and what an adoption changes are filters of its rows.
 *
 * | `was`  | `is`   | `wants`               | `whose` | What follows                                                  |
 * | ------ | ------ | --------------------- | ------- | ------------------------------------------------------------- |
 * | A      | A      | A                     | -       | Nothing, and no row                                           |
 * | A      | B      | A                     | program | Drift: a refresh reports it, and the next `up` reverts it     |
 * | -      | B      | A, just sent          | service | Normalized: told once, and B is recorded                      |
 * | B      | B      | A, declared before    | program | Nothing: it is known                                          |
 * | any    | B      | not declared          | others  | Stays: sent along where an object can only be sent as a whole |
 * | any    | B      | A, in `ignoreChanges` | ignored | Stays: sent as the service has it                             |
 * | masked | masked | A                     | hidden  | No drift: compared only in the response to its own write      |
 */
import { byName } from "../../schema/named-items";
import type { Leaf } from "../../schema/fields";
import { leaves } from "../../schema/rows";
import {
  asObject,
  isEqual,
  isNothing,
  isObject,
  mapValues,
  type Path,
  valueAt,
  type Values,
  valueTowards,
  withoutAbsent,
  withValueAt,
} from "../../schema/tree";
import { isCovered, isTouched, type PathPattern } from "../../schema/property-path";
import { isHidden } from "./secrets";
import type { Observed } from "./service";

export interface Row {
  readonly path: Path;
  /** What the service showed last; undefined if it showed nothing there. */
  readonly was: unknown;
  /** What it shows now; undefined if there is nothing any more. */
  readonly is: unknown;
  readonly wants: unknown;
  readonly whose: "program" | "service" | "others" | "ignored" | "hidden";
}

/** What is compared. */
export interface Versions {
  readonly declared: Values;
  readonly live: Observed;
  /** What the service showed last, where that differed from what was declared. */
  readonly shown?: Values | undefined;
  /** What was sent of the declared arguments, and not shown since. */
  readonly sent?: Values | undefined;
  readonly ignoreChanges?: readonly PathPattern[] | undefined;
}

/** A row for everything that the service shows and that is not as declared. What a response does not contain has none. */
export function compare({ declared, live, shown, sent, ignoreChanges = [] }: Versions): Row[] {
  const values = argumentsIn(live);
  return leaves.flatMap(({ path, field }) => {
    const wants = valueAt(declared, path);
    const is = aligned(wants, shownAt(values, path));
    if (is === undefined) return [];
    if (field.secret)
      return secretRows(asObject(wants), is, asObject(valueAt(shown, path)), path, ignoreChanges);
    if (wants === undefined)
      return is === null ? [] : [{ path, was: shownAt(shown, path), is, wants, whose: "others" as const }];
    const recorded = shownAt(shown, path);
    const before = onlyDeclared(recorded, wants);
    return differencesInField(field, wants, is, values, path).map((each): Row => {
      // Nothing recorded means that it was shown as declared. In a recorded value, a missing member did not exist.
      const was = recorded === undefined ? each.wants : valueAt(before, each.path.slice(path.length));
      const isLeft = isCovered(each.path, ignoreChanges);
      const whose = isLeft ? "ignored" : valueAt(sent, each.path) === undefined ? "program" : "service";
      return { ...each, was, whose };
    });
  });
}

type Difference = Pick<Row, "path" | "is" | "wants">;

/** What someone changed outside of the program. */
export function isDrift({ whose, was, is }: Row): boolean {
  // As drift, null and absent are the same.
  return whose === "program" && !isEqual(was ?? undefined, is ?? undefined);
}

/** Where the service shows other values than these, whoever made them and whatever it showed before. */
export function differencesFrom(declared: Values, live: Observed): Row[] {
  return compare({ declared, live }).filter(({ whose }) => whose !== "others" && whose !== "hidden");
}

/** The arguments, with what the service has in their place. */
export function withLive(declared: Values, rows: readonly Difference[]): Values {
  return rows.reduce((all, { path, is }) => withValueAt(all, path, is), declared);
}

/** The arguments as the service shows them; those that the response does not contain are undefined. */
export function argumentsIn(observed: Observed): Values {
  const { name, secrets, latestRevisionId } = observed;
  // Before the first revision, an empty list does not mean that the secrets were removed.
  const isUnknown = latestRevisionId === null && isNothing(secrets);
  return { ...observed, name: name || undefined, secrets: isUnknown ? undefined : secrets };
}

/** The value at a path; members of an object that is `null` are `null` too. */
export function shownAt(values: unknown, path: Path): unknown {
  return valueTowards(values, path, (value) => value === null);
}

function differencesInField(
  field: Leaf,
  wants: unknown,
  is: unknown,
  live: Values,
  path: Path,
): Difference[] {
  if (field.resolvesTo !== undefined && typeof wants === "string" && typeof is === "string") {
    if (field.resolvesTo(wants, is, asObject(valueAt(live, path.slice(0, -1))))) return [];
  }
  // To a service, an empty map or list may be the same as none, and what else it shows there is not declared.
  return isEqual(wants, Array.isArray(wants) ? [] : {})
    ? []
    : differencesIn(wants, onlyDeclared(is, wants), path);
}

/** Differences in free-form data, of what is declared. Lists whose items are not the same ones differ as a whole. */
function differencesIn(wants: unknown, is: unknown, path: Path): Difference[] {
  if (is === null || is === undefined) {
    // A removed item leaves a `null`, so that the others keep their places.
    const left = typeof path.at(-1) === "number" ? null : undefined;
    return wants === null ? [] : [{ path, wants, is: left }];
  }
  if (isObject(wants) && isObject(is)) {
    return Object.keys(wants).flatMap((name) =>
      differencesIn(wants[name], valueAt(is, [name]), [...path, name]),
    );
  }
  if (!Array.isArray(wants) || !Array.isArray(is)) return isEqual(wants, is) ? [] : [{ path, wants, is }];
  if (!haveSameItems(wants, is)) return [{ path, wants, is }];
  return wants.flatMap((item, index) => differencesIn(item, is[index], [...path, index]));
}

/** What the service shows, with named items in the declared order, and at the end those that only the service has. */
export function aligned(wants: unknown, is: unknown): unknown {
  return arranged(wants, is, false);
}

/** What the service shows of what is declared: in lists of named items, and in objects, only that. */
export function onlyDeclared(is: unknown, wants: unknown): unknown {
  return arranged(wants, is, true);
}

function arranged(wants: unknown, is: unknown, isOnlyDeclared: boolean): unknown {
  if (isOnlyDeclared && (is === null || wants === undefined)) return undefined;
  if (isObject(wants) && isObject(is)) {
    return withoutAbsent(
      mapValues(is, (value, name) => arranged(valueAt(wants, [name]), value, isOnlyDeclared)),
    );
  }
  if (!Array.isArray(wants) || !Array.isArray(is)) return is;
  const [declared, live] = [byName(wants), byName(is)];
  if (declared === undefined || live === undefined)
    return is.map((item, index) => aligned(wants[index], item));
  const names = isOnlyDeclared ? declared.keys() : new Set([...declared.keys(), ...live.keys()]);
  return [...names]
    .filter((name) => live.has(name))
    .map((name) => arranged(declared.get(name), live.get(name), isOnlyDeclared));
}

function haveSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [named, otherNamed] = [byName(one), byName(other)];
  if (named === undefined || otherNamed === undefined) return one.length === other.length;
  return isEqual([...named.keys()], [...otherNamed.keys()]);
}

/** A secret for which the service showed something else than was sent is not compared, unless it is gone. */
function secretRows(
  declared: Values,
  listed: unknown,
  shown: Values,
  at: Path,
  ignoreChanges: readonly PathPattern[],
): Row[] {
  return Object.keys({ ...declared, ...asObject(listed) }).flatMap((name): Row[] => {
    const path = [...at, name];
    const [recorded, is, wants] = [shown, listed, declared].map((each) => valueAt(each, [name]));
    // A mask says nothing of what comes after it.
    const was = typeof recorded === "string" && isHidden(recorded) ? undefined : recorded;
    const row = { path, was: was === undefined ? wants : was, is, wants };
    if (wants === undefined) return [{ ...row, whose: "others" }];
    // A service may drop empty secrets. To the application, an empty value is the same as none.
    if (is === undefined ? wants === "" : is === wants && was === undefined) return [];
    const isMissing = is === undefined && was !== null;
    const isCompared = isMissing || (is !== undefined && !isHidden(is) && was === undefined);
    if (isCovered(path, ignoreChanges)) return [{ ...row, whose: "ignored" }];
    return [{ ...row, whose: isCompared ? "program" : "hidden" }];
  });
}

/** A part of an object that can only be sent as a whole: what was declared, what the service has, what is declared, and its place. */
export interface Part {
  /** Members that are no longer declared are removed. */
  readonly before: unknown;
  readonly is: unknown;
  readonly wants: unknown;
  readonly at: Path;
  readonly ignoreChanges: readonly PathPattern[];
}

/** The members that are sent of an object: see `merge`. */
export function mergeMembers(part: Part): Values {
  const members = mapValues({ ...asObject(part.wants), ...asObject(part.is) }, (_, name) => {
    const [before, is, wants] = [part.before, part.is, part.wants].map((each) => valueAt(each, [name]));
    return merge({ ...part, before, is, wants, at: [...part.at, name] });
  });
  return withoutAbsent(members);
}

/**
 * What is sent of a part. The first row that applies decides:
 *
 * | Part                                                   | Sent                               |
 * | ------------------------------------------------------ | ---------------------------------- |
 * | Nobody declared it, now or before                      | What the service shows             |
 * | An item that the program adds, or that others removed  | What is declared                   |
 * | An item that the program no longer declares            | Nothing                            |
 * | `ignoreChanges` covers it                              | What the service shows             |
 * | A list of named items, or an object                    | Its items, or members, each merged |
 * | Anything else                                          | What is declared                   |
 */
export function merge(part: Part): unknown {
  const { before, is, wants, at, ignoreChanges } = part;
  const isItem = typeof at.at(-1) === "number";
  const isIgnored = isCovered(at, ignoreChanges);
  if (before === undefined && wants === undefined) return is;
  if (isItem && isNothing(is) && (before === undefined || !isIgnored)) return wants;
  if (isItem && wants === undefined) return undefined;
  if (isIgnored) return is ?? undefined;
  if (Array.isArray(wants) || (wants === undefined && Array.isArray(is)))
    return unlessGone(mergeItems(part), part);
  // An object that is no longer declared may have members of others.
  if (isObject(wants) || (wants === undefined && isObject(is))) return unlessGone(mergeMembers(part), part);
  return wants;
}

/** Nothing, if the result is empty because the service has nothing there. */
function unlessGone(result: object, { is, wants }: Part): unknown {
  const isStaying = wants !== undefined && (isNothing(wants) || (is ?? undefined) !== undefined);
  return isNothing(result) && !isStaying ? undefined : result;
}

/** Items are told apart by their names, and are in the declared order; without names, by their places. */
function mergeItems(part: Part): readonly unknown[] {
  const { at, ignoreChanges } = part;
  const [before, is, wants] = [part.before, part.is, part.wants].map((each): readonly unknown[] =>
    Array.isArray(each) ? each : [],
  ) as [readonly unknown[], readonly unknown[], readonly unknown[]];
  const areIgnored = isCovered([...at, "*"], ignoreChanges);
  const [earlier, live, declared] = [byName(before), byName(is), byName(wants)];
  if (earlier === undefined || live === undefined || declared === undefined) {
    // The engine covers the places that were there before: the program may still add items.
    if (areIgnored) return [...is, ...wants.slice(before.length)];
    const isLeft = (index: number) => isTouched([...at, index], ignoreChanges);
    return wants
      .map((item, index) =>
        isLeft(index)
          ? merge({ ...part, before: before[index], is: is[index], wants: item, at: [...at, index] })
          : item,
      )
      .filter((item) => item !== undefined);
  }
  const names = [...declared.keys()];
  const all = new Set(areIgnored ? [...live.keys(), ...names] : [...names, ...live.keys()]);
  return [...all]
    .map((name) => {
      const values = { before: earlier.get(name), is: live.get(name), wants: declared.get(name) };
      return merge({ ...part, ...values, at: [...at, names.indexOf(name)] });
    })
    .filter((item) => item !== undefined);
}
