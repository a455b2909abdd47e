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
  type Path,
  valueAt,
  type Values,
  withValueAt,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { coveredPaths, type PathPattern, isTouched } from "../property-path";
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
  const drifted = withDifferences(declared, driftFrom(declared, observed, state.private.seen));
  const beside = wholesOf(draft).flatMap((path) =>
    coveredPaths(valueAt(observed, path), ignoreChanges, path).filter(
      (each) => valueAt(draft, each) === undefined && isChosen(each, valueAt(observed, each), dialect),
    ),
  );
  const intended = withValuesAt(withValuesAt(declared, ignored, drifted), beside, { ...observed });
  refuseHidden(asObject(intended.secrets), asObject(declared.secrets));
  const patch = patchFor(plan, intended, dialect);
  if (!mayLose(draft, state, dialect)) return { patch, intended };
  const undeclared = undeclaredSecrets(state, intended);
  return { patch: withUndeclared(patch, state.arguments, intended, observed, dialect, undeclared), intended };
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

/** Items of a list that others removed keep their declared values: their neighbours have other indexes now. */
function withValuesAt<T extends object>(all: T, paths: readonly Path[], values: Values): T {
  return paths.reduce((result, path) => {
    const value = valueAt(values, path);
    const isItem = path.some((part) => typeof part === "number");
    return value === undefined && isItem ? result : withValueAt(result, path, value);
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
