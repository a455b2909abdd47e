/**
 * What an imported or adopted deployment has inside objects that the service takes as a whole, and that the program does
 * not declare. It is sent along: a change of `cpu` would delete it without a word.
 */
import { deployment as fields, type Fields } from "../../schema/fields";
import { formatPath } from "../../schema/problems";
import type { Dialect } from "../dialects";
import { isHidden, type ValuePath } from "./drift";
import type { Context, Observed, Patch } from "./service";
import { isEqual, isObject, valueAt, type Values, withValueAt } from "../values";
import { DeploymentError } from "../errors";
import { argumentsIn, type PrivateState, privateStateOf, type Stored } from "./state";

/** Arguments that the service only takes as a whole. */
const places = placesIn(fields, []);

function placesIn(table: Fields, at: readonly string[]): string[][] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    if (field.kind === "group") return field.atomic ? [path] : placesIn(field.fields, path);
    return field.list === "object" ? [path] : [];
  });
}

/** Paths of what is there and nobody declares; what the service fills in by itself is none of it. */
export function undeclaredIn(declared: Values, observed: Observed, dialect: Dialect): ValuePath[] {
  return places
    .filter((place) => isFor(observed.source, place, dialect))
    .flatMap((place) => partsAt(place, declared, observed, dialect));
}

function isFor(source: string, place: readonly string[], { sourcesOf }: Dialect): boolean {
  return sourcesOf[place.join(".")]?.includes(source) !== false;
}

/** Of the fields of an object those that are set and not filled in; all that is beside something declared in one of them. */
function partsAt(place: readonly string[], declared: Values, shown: object, dialect: Dialect): ValuePath[] {
  const args = asObject(valueAt(declared, place));
  return Object.entries(asObject(valueAt(shown, place))).flatMap(([name, value]) => {
    const path = [...place, name];
    if (isFilledIn(path, value, dialect)) return [];
    return beside(own(args, name), value, path);
  });
}

function beside(declared: unknown, shown: unknown, at: ValuePath): ValuePath[] {
  if (declared === undefined) return isUnset(shown, at) ? [] : [at];
  if (isObject(declared) && isObject(shown)) {
    return Object.keys(shown).flatMap((key) => beside(own(declared, key), shown[key], [...at, key]));
  }
  if (!Array.isArray(declared) || !Array.isArray(shown)) return [];
  return declared.flatMap((member: unknown, index) => {
    const same = counterpart(declared, index, shown);
    return same === undefined ? [] : beside(member, same, [...at, index]);
  });
}

/** Within an item of a list, whose members are known, `null` says that a member is not set. */
function isUnset(value: unknown, path: ValuePath): boolean {
  return value === undefined || (value === null && path.some((part) => typeof part === "number"));
}

/** Whether a change touches an object with something in it that nobody declares. */
export function touchesUndeclared(patch: Patch, undeclared: readonly ValuePath[]): boolean {
  return places.some((place) => isTouched(patch, place) && undeclared.some(isWithin(place)));
}

/**
 * A change that takes along what nobody declares. What the program declared before and has taken out is removed.
 *
 * @param before what was declared
 */
export function keepUndeclared(
  patch: Patch,
  before: Values,
  declared: Values,
  observed: Observed,
  dialect: Dialect,
): Patch {
  return places
    .filter((place) => isTouched(patch, place))
    .reduce<Values>((all, place) => {
      const [sent, shown] = [valueAt(all, place), valueAt(observed, place)];
      if (!isObject(shown)) return all;
      const chosen = Object.entries(shown).filter(
        ([name, value]) => !isFilledIn([...place, name], value, dialect),
      );
      const set = Object.fromEntries(chosen);
      const kept = mergedMembers(set, asObject(valueAt(before, place)), asObject(valueAt(declared, place)));
      const removed = Object.entries(asObject(sent)).filter(([, value]) => value === null);
      const whole = { ...Object.fromEntries(removed), ...kept };
      return Object.keys(whole).length === 0 ? all : withValueAt(all, place, whole);
    }, patch as Values);
}

/** What stays undeclared after a change: of what it touched, what it has just taken along. */
export function undeclaredAfter(
  undeclared: readonly ValuePath[],
  patch: Patch,
  declared: Values,
  dialect: Dialect,
): ValuePath[] {
  return [
    ...undeclared.filter((path) => !places.some((place) => isTouched(patch, place) && isWithin(place)(path))),
    ...places.flatMap((place) => partsAt(place, declared, patch, dialect)),
  ];
}

/** What goes with a member of a list that the program gives up, or with a list that it declares for the first time. */
export function lostParts(undeclared: readonly ValuePath[], before: Values, declared: Values): string[] {
  return undeclared.filter((path) => isLost(path, before, declared)).map(formatPath);
}

function isLost([part, ...rest]: ValuePath, before: unknown, declared: unknown): boolean {
  if (part === undefined) return Array.isArray(declared);
  if (typeof part === "string") {
    return isLost(rest, own(asObject(before), part), own(asObject(declared), part));
  }
  if (!Array.isArray(before)) return false;
  const same = Array.isArray(declared) ? counterpart(before, part, declared) : undefined;
  return same === undefined || isLost(rest, before[part], same);
}

/** Between what is there, what was declared and what is: of what was in neither, all stays. */
function merged(shown: unknown, before: unknown, declared: unknown): unknown {
  if (declared === undefined) {
    if (before === undefined) return shown;
    const rest = isObject(before) && isObject(shown) ? mergedMembers(shown, before, {}) : {};
    return Object.keys(rest).length > 0 ? rest : undefined;
  }
  if (isObject(declared) && isObject(shown)) return mergedMembers(shown, asObject(before), declared);
  if (!Array.isArray(declared) || !Array.isArray(shown)) return declared;
  return declared.map((member: unknown, index) => {
    const old = Array.isArray(before) ? counterpart(declared, index, before) : undefined;
    return merged(counterpart(declared, index, shown) ?? member, old, member);
  });
}

function mergedMembers(shown: Values, before: Values, declared: Values): Values {
  const entries = Object.keys({ ...shown, ...declared })
    .map((key): [string, unknown] => [key, merged(own(shown, key), own(before, key), own(declared, key))])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** The same member in another list: by its name, or by its place in a list as long where not all have names of their own. */
function counterpart(list: readonly unknown[], index: number, other: readonly unknown[]): unknown {
  const [names, others] = [namesIn(list), namesIn(other)];
  if (names !== undefined && others !== undefined) return other[others.indexOf(names[index]!)];
  return list.length === other.length ? other[index] : undefined;
}

function namesIn(list: readonly unknown[]): string[] | undefined {
  const names = list.map((member) => (isObject(member) ? member["name"] : undefined));
  const isNamed = names.every((name): name is string => typeof name === "string");
  return isNamed && new Set(names).size === names.length ? names : undefined;
}

function own(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function asObject(value: unknown): Values {
  return isObject(value) ? value : {};
}

/** Whether a field holds what a service says where nobody said anything. */
function isFilledIn(path: ValuePath, value: unknown, { defaults }: Dialect): boolean {
  if (value === null || value === undefined || isEqual(defaults[path.join(".")], value)) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isTouched(patch: Patch, place: readonly string[]): boolean {
  return valueAt(patch, place) !== undefined;
}

function isWithin(place: readonly string[]) {
  return (path: ValuePath) => place.every((part, index) => part === path[index]);
}

/**
 * The secrets of an imported or adopted deployment that no program has declared yet, once this is declared. A team takes them
 * over one by one, while the service only takes all of them at once: what is not declared yet is sent along as it is.
 */
export function unmanagedAfter(state: Stored, declared: Values): readonly string[] {
  const secrets = isObject(declared["secrets"]) ? declared["secrets"] : {};
  return (privateStateOf(state).unmanagedSecrets ?? []).filter((name) => !Object.hasOwn(secrets, name));
}

/** A patch of secrets that takes the unmanaged ones along. */
export function keepUnmanaged(
  patch: Patch,
  unmanaged: readonly string[],
  observed: Observed | undefined,
): Patch {
  if (patch.secrets === undefined || unmanaged.length === 0) return patch;
  return { ...patch, secrets: { ...valuesOf(unmanaged, observed), ...patch.secrets } };
}

function valuesOf(names: readonly string[], observed: Observed | undefined): Record<string, string> {
  const { secrets = {} } = observed ?? {};
  const present = names.filter((name) => Object.hasOwn(secrets, name));
  const hidden = present.filter((name) => isHidden(secrets[name]));
  if (hidden.length > 0) {
    throw new DeploymentError(
      `the service takes all secrets at once and does not show the values of ${hidden.join(", ")}, which it has and the ` +
        "program does not declare: they would be lost. Declare them too; nothing was sent",
    );
  }
  return Object.fromEntries(present.map((name) => [name, secrets[name]!]));
}

/** A change of an imported or adopted deployment takes along what the program does not declare of it. */
export interface Kept {
  readonly patch: Patch;
  /** What is still not declared after the change. */
  readonly privateState: Pick<PrivateState, "unmanagedSecrets" | "undeclared">;
}

/** Reads the deployment only where something of it would be lost otherwise. */
export async function withUndeclared(
  { service, dialect }: Context,
  id: string,
  patch: Patch,
  state: Stored,
  declared: Values,
): Promise<Kept> {
  const { undeclared = [] } = privateStateOf(state);
  const unmanagedSecrets = unmanagedAfter(state, declared);
  const losesSecrets = patch.secrets !== undefined && unmanagedSecrets.length > 0;
  const losesParts = touchesUndeclared(patch, undeclared);
  const observed = losesSecrets || losesParts ? await service.read(id) : undefined;
  const withSecrets = keepUnmanaged(patch, unmanagedSecrets, observed);
  const [before, after] = [argumentsIn(state), argumentsIn(declared)];
  const whole =
    losesParts && observed !== undefined
      ? keepUndeclared(withSecrets, before, after, observed, dialect)
      : withSecrets;
  return {
    patch: whole,
    privateState: { unmanagedSecrets, undeclared: undeclaredAfter(undeclared, whole, after, dialect) },
  };
}
