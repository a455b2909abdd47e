/**
 * Objects that the service only takes as a whole. Of an imported or adopted deployment they may hold more than any program
 * has declared: they are read before they are written, and what was never declared is sent along. Lists are taken as wholes.
 */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { isHidden, mergeData } from "./drift";
import { type FieldChange, removalOf } from "./plan";
import type { Context, Observed, Patch } from "./service";
import { argumentsIn, privateStateOf, type Stored } from "./state";
import { isEqual, isObject, valueAt, type Values, withValueAt } from "../../schema/tree";

const places = placesIn(fields, []);

function placesIn(table: Fields, at: readonly string[]): string[][] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    if (field.kind === "group") return field.atomic ? [path] : placesIn(field.fields, path);
    return field.list === undefined ? [] : [path];
  });
}

/** A change that takes along what nobody declared. Reads the deployment only where something could be lost otherwise. */
export async function withUndeclared(
  { service, dialect }: Context,
  id: string,
  patch: Patch,
  state: Stored,
  declared: Values,
): Promise<Patch> {
  const { takenOver } = privateStateOf(state);
  const isRead = (place: readonly string[]) => takenOver || removalOf(place, dialect) === "read-modify-write";
  const observed = touchedBy(patch).some(isRead) ? await service.read(id) : undefined;
  if (observed === undefined) return patch;
  const hidden = unmanagedAfter(state, declared).map((name): [string, null] => [name, null]);
  const secrets = observed.secrets ?? Object.fromEntries(hidden);
  return keepUndeclared(patch, argumentsIn(state), declared, { ...observed, secrets }, dialect);
}

function touchedBy(patch: Patch): string[][] {
  return places.filter((place) => valueAt(patch, place) !== undefined);
}

/**
 * A change that takes along what the service has and nobody declared. What was declared before and is not any more is
 * removed.
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
  return touchedBy(patch).reduce<Values>((all, place) => {
    const [shown, old, own] = [observed, before, declared].map((values) => asObject(valueAt(values, place)));
    const isChosen = ([name, value]: [string, unknown]) =>
      place[0] === "secrets" || !isFilledIn([...place, name], value, dialect);
    const whole = merged(Object.fromEntries(Object.entries(shown!).filter(isChosen)), old!, own!);
    if (place[0] === "secrets") refuseHidden(whole, own!);
    return Object.keys(whole).length === 0 ? all : withValueAt(all, place, whole);
  }, patch as Values);
}

/** Whether a field holds what a service says where nobody said anything. */
function isFilledIn(path: readonly string[], value: unknown, { defaults }: Dialect): boolean {
  if (value === null || isEqual(defaults[path.join(".")], value)) return true;
  return typeof value === "object" && Object.keys(value as object).length === 0;
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
  // A list that the program leaves as it was keeps what the service has in its items.
  const hasStayed = Array.isArray(declared) && isEqual(before, declared);
  return hasStayed && isEqual(mergeData(declared, shown), declared) ? shown : declared;
}

function asObject(value: unknown): Values {
  return isObject(value) ? value : {};
}

function refuseHidden(secrets: Values, declared: Values): void {
  const names = Object.keys(secrets).filter((name) => !Object.hasOwn(declared, name));
  const hidden = names.filter((name) => isHidden(secrets[name]));
  if (hidden.length === 0) return;
  throw new DeploymentError(
    `the service takes all secrets at once and does not show the values of ${hidden.join(", ")}, which it has and the ` +
      "program does not declare: they would be lost. Declare them too; nothing was sent",
  );
}

/** Names of the secrets of an imported or adopted deployment that no program has declared, once this is declared. */
export function unmanagedAfter(state: Stored, declared: Values): readonly string[] {
  const secrets = asObject(declared["secrets"]);
  return (privateStateOf(state).unmanagedSecrets ?? []).filter((name) => !Object.hasOwn(secrets, name));
}

/** Paths of the lists that change within objects that the service takes as a whole. */
export function listsIn(changes: readonly FieldChange[], before: Values, declared: Values): string[] {
  const isWithin = (place: readonly string[], path: readonly string[]) =>
    place.every((part, index) => part === path[index]);
  return changes
    .filter(({ segments }) => places.some((place) => isWithin(place, segments)))
    .filter(({ segments }) => [before, declared].some((values) => Array.isArray(valueAt(values, segments))))
    .map(({ path }) => path);
}
