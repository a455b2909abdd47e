/**
 * What a change must not touch although it sends it. The service takes some objects only as a whole, and those of an imported or
 * adopted deployment may hold more than any program has declared. Paths in `ignoreChanges` are left to others, and the engine
 * only has their last known value. Both are read before they are written, and sent as the service has them.
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
import { type FieldChange, isCovered, removalOf } from "./plan";
import type { Context, Observed, Patch } from "./service";
import type { State } from "./state";

/** Paths of objects that the service takes as a whole. */
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

/** Whether a change would lose something unless the deployment is read first. */
export function mayLose(patch: Patch, state: State, dialect: Dialect): boolean {
  const isRead = (path: Path) => state.private.takenOver || removalOf(path, dialect) === "read-modify-write";
  return wholesOf(patch).some(isRead);
}

/** Paths of what a change sends and the program leaves to others. */
export function ignoredIn(patch: Patch, { ignoreChanges = [] }: Pick<Context, "ignoreChanges">): Path[] {
  return memberPaths({ ...patch }).filter((path) => isCovered(path, ignoreChanges));
}

/** The declared arguments, with the service's own values at the ignored paths. */
export function withIgnored<T extends Values>(
  declared: T,
  ignored: readonly Path[],
  observed: Observed,
  state: State,
): T {
  const { arguments: drifted } = detectDrift(declared, observed, state.private.normalizations);
  return withValuesAt(declared, ignored, drifted);
}

/** What was sent, without what was only carried along. */
export function withoutIgnored(sent: Values, ignored: readonly Path[]): Values {
  return withValuesAt(sent, ignored, {});
}

function withValuesAt<T extends object>(all: T, paths: readonly Path[], values: Values): T {
  return paths.reduce((result, path) => withValueAt(result, path, valueAt(values, path)), all);
}

/**
 * A change that carries along what the service has and nobody declared. What was declared before and is not any more is
 * removed.
 *
 * @param before the arguments that were declared
 * @param unmanaged names of secrets that the service has, for one that does not list them
 * @throws for secrets that nobody declared and whose values the service does not show
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
      isSecret || !isServiceDefault([...path, name], value, dialect);
    const whole = merged(Object.fromEntries(Object.entries(shown!).filter(isChosen)), old!, own!);
    if (isSecret) refuseHidden(whole, own!);
    return Object.keys(whole).length === 0 ? result : withValueAt(result, path, whole);
  }, patch as Values);
}

/** Whether a field holds what a service says if nobody has set it. */
function isServiceDefault(path: Path, value: unknown, { defaults }: Dialect): boolean {
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
  // A list that the program has not changed keeps what the service has in its items.
  const hasStayed = Array.isArray(declared) && isEqual(before, declared);
  return hasStayed && isEqual(mergeData(declared, shown), declared) ? shown : declared;
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
export function unmanagedAfter(state: State, declared: Values): readonly string[] {
  const secrets = asObject(declared["secrets"]);
  return (state.private.unmanagedSecrets ?? []).filter((name) => !Object.hasOwn(secrets, name));
}

/** Lists that change within objects that the service takes as a whole. */
export function listsIn(changes: readonly FieldChange[], before: Values, declared: Values): Path[] {
  return changes
    .map(({ path }) => path)
    .filter((path) => wholes.some((whole) => isWithin(path, whole)))
    .filter((path) => [before, declared].some((values) => Array.isArray(valueAt(values, path))));
}
