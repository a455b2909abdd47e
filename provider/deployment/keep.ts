/**
 * Values that a change must send but not modify. Some objects can only be sent as a whole, and those of an imported or adopted
 * deployment may contain more than the program declares. Paths in `ignoreChanges` belong to others, and the engine only has their
 * last known value. Both are read before the write, and sent with the service's current values.
 */
import { deployment as fields, type Fields } from "../../schema/fields";
import {
  asObject,
  isEqual,
  isObject,
  isWithin,
  memberPaths,
  type Path,
  valueAt,
  type Values,
  withValueAt,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { isHidden, mergeData } from "./drift";
import { detectDrift } from "./normalized";
import type { FieldChange } from "./field-change";
import { isCovered, removalOf } from "./plan";
import type { Context } from "./context";
import type { Observed, Patch } from "./service";
import type { State } from "./state";

/** Paths of objects that can only be sent as a whole. */
const wholes = wholesIn(fields, []);

function wholesIn(table: Fields, at: Path): Path[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = [...at, name];
    if (field.kind === "group") return field.atomic ? [path] : wholesIn(field.fields, path);
    return field.list === undefined ? [] : [path];
  });
}

function wholesOf(patch: Patch): Path[] {
  return wholes.filter((path) => valueAt(patch, path) !== undefined);
}

/** Whether a change could lose values unless the deployment is read first. */
export function mayLose(patch: Patch, state: State, dialect: Dialect): boolean {
  const isRead = (path: Path) => state.private.takenOver || removalOf(path, dialect) === "read-modify-write";
  return wholesOf(patch).some(isRead);
}

/** Paths in a patch that `ignoreChanges` covers. */
export function ignoredIn(patch: Patch, { ignoreChanges = [] }: Pick<Context, "ignoreChanges">): Path[] {
  return memberPaths({ ...patch }).filter((path) => isCovered(path, ignoreChanges));
}

/** The declared arguments, with the service's values at the ignored paths. */
export function withIgnored<T extends Values>(
  declared: T,
  ignored: readonly Path[],
  observed: Observed,
  state: State,
): T {
  const { arguments: drifted } = detectDrift(declared, observed, state.private.normalizations);
  return withValuesAt(declared, ignored, drifted);
}

/** What was sent, without the ignored paths. */
export function withoutIgnored(sent: Values, ignored: readonly Path[]): Values {
  return withValuesAt(sent, ignored, {});
}

function withValuesAt<T extends object>(all: T, paths: readonly Path[], values: Values): T {
  return paths.reduce((result, path) => withValueAt(result, path, valueAt(values, path)), all);
}

/** Names of ignored secrets whose values the service does not show. */
export function hiddenIn(ignored: readonly Path[], { secrets }: Observed): string[] {
  const names = ignored.filter(([first]) => first === "secrets").map(([, name]) => String(name));
  return names.filter((name) => secrets === undefined || isHidden(secrets[name] ?? null));
}

/**
 * Adds undeclared values of the service to a patch. Values that were declared before and no longer are get removed.
 *
 * @param before the previously declared arguments
 * @param unmanaged names of undeclared secrets, for a service that does not list secrets
 * @throws if the service hides the values of undeclared secrets
 */
export function withUndeclared(
  patch: Patch,
  before: Values,
  declared: Values,
  observed: Observed,
  dialect: Dialect,
  unmanaged: readonly string[] = [],
): Patch {
  const secrets = observed.secrets ?? Object.fromEntries(unmanaged.map((name) => [name, null]));
  const all: Values = { ...observed, secrets };
  return wholesOf(patch).reduce<Values>((result, path) => {
    const [shown, old, own] = [all, before, declared].map((values) => asObject(valueAt(values, path)));
    const isSecret = path[0] === "secrets";
    const isChosen = ([name, value]: [string, unknown]) =>
      isSecret || (!isNothing(value) && !isEqual(dialect.defaults[[...path, name].join(".")], value));
    const whole = merged(Object.fromEntries(Object.entries(shown!).filter(isChosen)), old!, own!);
    if (isSecret) refuseHidden(whole, own!);
    return Object.keys(whole).length === 0 ? result : withValueAt(result, path, whole);
  }, patch as Values);
}

/** Whether a value means the same as none: `null`, an empty list or an empty object. */
function isNothing(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value as object).length === 0);
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
  return hasStayed && isEqual(mergeData(declared, shown), declared) ? shown : declared;
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

/** Names of the secrets of an imported or adopted deployment that remain undeclared. */
export function unmanagedAfter(state: State, declared: Values): readonly string[] {
  const secrets = asObject(declared["secrets"]);
  return (state.private.unmanagedSecrets ?? []).filter((name) => !Object.hasOwn(secrets, name));
}

/** Changed lists within objects that can only be sent as a whole. */
export function listsIn(changes: readonly FieldChange[], before: Values, declared: Values): Path[] {
  return changes
    .map(({ path }) => path)
    .filter((path) => wholes.some((whole) => isWithin(path, whole)))
    .filter((path) => [before, declared].some((values) => Array.isArray(valueAt(values, path))));
}
