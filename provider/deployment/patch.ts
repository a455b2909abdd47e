/**
 * The smallest PATCH for a plan: it contains only changed keys. Some objects can only be sent as a whole, and may hold what nobody
 * declared, or what `ignoreChanges` leaves to others: that is sent along as the service shows it.
 */
import { deployment as fields } from "../../schema/fields";
import { rows } from "../../schema/rows";
import {
  asObject,
  isEqual,
  isNothing,
  isWithin,
  mapValues,
  type Path,
  valueAt,
  withValueAt,
  type Values,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { contentKey } from "./internal-inputs";
import { coveredPaths, isCovered, type PathPattern } from "../../schema/property-path";
import type { Context } from "./context";
import { type FieldChange, isOnceActive, isSent, removalOf, revisionPaths } from "./field-change";
import { argumentsIn, differencesFrom, isHidden, mergeMembers, withLive } from "./merge";
import type { Plan } from "./plan";
import type { Observed, Patch } from "./service";
import { secretsOfOthers } from "./shown";
import type { CheckedArguments, State } from "./state";

/** The PATCH that carries out a plan. */
export function patchFor(plan: Plan, declared: Values, dialect: Dialect): Patch {
  const paths = plan.changes.filter(isOfService).map(({ patchPath }) => patchPath);
  const patch = paths.reduce<Values>(
    (all, path) => withValueAt(all, path, valueFor(path, declared, dialect)),
    {},
  );
  if (plan.effect !== "revision") return patch;
  return {
    ...withRevision(withSource(patch, plan, declared, dialect), plan, declared, dialect),
    ...(declared["revisionSource"] !== undefined && { revisionSource: String(declared["revisionSource"]) }),
  };
}

/** The values that a plan changes, without what else is in the objects that are sent as a whole; `null` for what is removed. */
export function changedValues({ changes }: Plan, declared: Values): Values {
  return changes
    .filter(isOfService)
    .reduce<Values>((all, { path }) => withValueAt(all, path, valueAt(declared, path) ?? null), {});
}

function isOfService({ effect, patchPath: [name] }: FieldChange): boolean {
  return isSent(fields[name as keyof typeof fields], effect);
}

/** Includes the source folder if its content changed, or if nothing else certainly makes the revision. */
function withSource(patch: Values, plan: Plan, declared: Values, dialect: Dialect): Values {
  if (declared[contentKey] === undefined) return patch;
  const isNew = plan.changes.some(({ effect, isContent }) => isContent && effect === "revision");
  return isNew || !hasRevision(patch, plan, dialect) ? { sourceRevisionConfig: {}, ...patch } : patch;
}

/** Whether it certainly makes a revision. A `onceActive` field does as the only reason, if its old value is known. */
function hasRevision(patch: Values, { changes }: Plan, dialect: Dialect): boolean {
  const makes = revisionPaths(dialect).filter((path) => valueAt(patch, path) !== undefined);
  if (makes.some((path) => !isOnceActive(path))) return true;
  const reasons = changes.filter(({ effect }) => effect === "revision");
  return makes.length > 0 && reasons.every(({ path, isFirst }) => isOnceActive(path) && !isFirst);
}

/** If no change makes a revision by itself, such as when only `triggers` changed, adds an unchanged value that does. */
function withRevision(patch: Values, plan: Plan, declared: Values, dialect: Dialect): Values {
  if (hasRevision(patch, plan, dialect)) return patch;
  const paths = revisionPaths(dialect).filter((path) => !isOnceActive(path));
  const [first] = paths;
  const path = paths.find((each) => !isEqual(valueAt(declared, each) ?? {}, {})) ?? first!;
  return withValueAt(patch, path, valueAt(declared, path) ?? {});
}

function valueFor(path: Path, declared: Values, dialect: Dialect): unknown {
  const isEmptied = ["read-modify-write", "empty"].includes(removalOf(path, dialect));
  return valueAt(declared, path) ?? (isEmptied ? {} : null);
}

/** Paths of objects that can only be sent as a whole. */
const wholes: readonly Path[] = rows.filter(({ isWhole }) => isWhole).map(({ path }) => path);

type Before = Pick<State, "arguments" | "private">;

/**
 * The patch, with the service's values for what belongs to others.
 *
 * @returns `intended`: the arguments that the service has afterwards
 * @throws if the service hides a secret that the patch must carry along
 */
export function patchAmongOthers(
  { dialect, log, ignoreChanges = [] }: Pick<Context, "dialect" | "log" | "ignoreChanges">,
  plan: Plan,
  before: Before,
  declared: CheckedArguments,
  live: Observed,
): { patch: Patch; intended: CheckedArguments } {
  const draft = patchFor(plan, declared, dialect);
  const listed = argumentsIn(live)["secrets"] as Observed["secrets"];
  const secrets = secretsShown(listed, before, declared);
  for (const [first, name] of ignoredIn(draft, ignoreChanges)) {
    if (first === "secrets" && valueAt(secrets, [name!]) !== valueAt(listed, [name!]))
      log.warning(
        `\`ignoreChanges\` leaves the secret ${name} to others, but the service does not show its value: the last known ` +
          "value is sent",
      );
  }
  const theirs = differencesFrom(declared, live).filter(
    ({ path }) =>
      isCovered(path, ignoreChanges) && !isOnceActive(path) && wholes.every((each) => !isWithin(path, each)),
  );
  const intended = wholes
    .filter((path) => valueAt(draft, path) !== undefined)
    .reduce(
      (all, path) => {
        const is = valueAt({ ...live, secrets }, path);
        if (is === undefined) return all;
        const [was, wants] = [valueAt(before.arguments, path), valueAt(declared, path)];
        const chosen = chosenIn(is, asObject(wants), path, dialect);
        return withValueAt(all, path, mergeMembers({ was, is: chosen, wants, at: path, ignoreChanges }));
      },
      withLive(declared, theirs) as CheckedArguments,
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
  const masks = masksIn(before);
  const isUnknown = (value: unknown, name: string) =>
    isHidden(value) || (declared.secrets?.[name] === undefined && masks.includes(value));
  return mapValues(listed ?? known, (value, name) =>
    isUnknown(value, name) ? (known[name] ?? hidden) : value,
  );
}

/** What the service showed in place of declared secrets: of another secret, the same text is no value either. */
export function masksIn({ arguments: had, private: { shown } }: Before): unknown[] {
  const texts = asObject(shown?.["secrets"]);
  return Object.keys(asObject(had["secrets"])).flatMap((name) => texts[name] ?? []);
}

/** Stands for the value of a secret that nobody knows, and is never sent. */
const hidden = Symbol("hidden");

/** What is declared or someone has chosen, of an object that the service shows. */
export function chosenIn(shown: unknown, own: Values, at: Path, { defaults }: Dialect): Values {
  const isDefault = (name: string, value: unknown) =>
    isNothing(value) || isEqual(defaults[[...at, name].join(".")], value);
  return Object.fromEntries(
    Object.entries(asObject(shown)).filter(
      ([name, value]) => Object.hasOwn(own, name) || !isDefault(name, value),
    ),
  );
}

/** What was sent, without what `ignoreChanges` covers. A list of which it covers a part is left out as a whole. */
export function withoutIgnored(sent: Values, { ignoreChanges = [] }: Pick<Context, "ignoreChanges">): Values {
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
