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
import { coveredPaths, type PathPattern } from "../../schema/property-path";
import type { Context } from "./context";
import { type FieldChange, isAfterFirstRevision, isSent, removalOf, revisionPaths } from "./field-change";
import { argumentsIn, compare, mergeMembers, withLive } from "./merge";
import { effectOf } from "./plan";
import { type Observed, type Patch, contentKey } from "./service";
import { hiddenSecretsText, isMasked, secretsOfOthers } from "./secrets";
import type { CheckedArguments, State } from "./state";

/** The PATCH that carries out changes. */
export function patchFor(changes: readonly FieldChange[], declared: Values, dialect: Dialect): Patch {
  const paths = changes.filter(isOfService).map(({ patchPath }) => patchPath);
  const patch = paths.reduce<Values>(
    (all, path) => withValueAt(all, path, valueFor(path, declared, dialect)),
    {},
  );
  if (effectOf(changes) !== "revision") return patch;
  const { revisionSource } = declared;
  return {
    ...withRevision(patch, changes, declared, dialect),
    ...(revisionSource !== undefined && { revisionSource: String(revisionSource) }),
  };
}

/** The values that change, without what else is in the objects that are sent as a whole; `null` for what is removed. */
export function changedValues(changes: readonly FieldChange[], declared: Values): Values {
  return changes
    .filter(isOfService)
    .reduce<Values>((all, { path }) => withValueAt(all, path, valueAt(declared, path) ?? null), {});
}

function isOfService({ effect, patchPath: [name] }: FieldChange): boolean {
  return isSent(fields[name as keyof typeof fields], effect);
}

/** With the source folder if its content changed, or an unchanged value if only `triggers` did. */
function withRevision(
  patch: Values,
  changes: readonly FieldChange[],
  declared: Values,
  dialect: Dialect,
): Values {
  const reasons = changes.filter(({ effect }) => effect === "revision");
  const paths = revisionPaths(dialect).filter((path) => !isAfterFirstRevision(path));
  const isCertain =
    paths.some((path) => valueAt(patch, path) !== undefined) ||
    reasons.every(({ path }) => isAfterFirstRevision(path));
  if (isCertain && !reasons.some(({ isContent }) => isContent)) return patch;
  const isFolder = declared[contentKey] !== undefined;
  const [first] = paths;
  const set = paths.find((path) => isFolder || !isEqual(valueAt(declared, path) ?? {}, {})) ?? first!;
  return withValueAt(patch, set, valueAt(patch, set) ?? valueAt(declared, set) ?? {});
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
  { dialect, ignoreChanges = [] }: Pick<Context, "dialect" | "ignoreChanges">,
  changes: readonly FieldChange[],
  before: Before,
  declared: CheckedArguments,
  live: Observed,
): { patch: Patch; intended: CheckedArguments } {
  const draft = patchFor(changes, declared, dialect);
  const secrets = secretsShown(live, before, declared);
  const ignored = compare({ declared, live, ignoreChanges }).filter(
    ({ path, whose }) =>
      whose === "ignored" && !isAfterFirstRevision(path) && wholes.every((each) => !isWithin(path, each)),
  );
  const intended = wholes
    .filter((path) => valueAt(draft, path) !== undefined)
    .reduce(
      (all, path) => {
        const is = valueAt({ ...live, secrets }, path);
        if (is === undefined) return all;
        const wants = valueAt(declared, path);
        const chosen = chosenIn(is, asObject(wants), path, dialect);
        const own = { before: valueAt(before.arguments, path), wants, at: path, ignoreChanges };
        const merged = mergeMembers({ ...own, is: chosen });
        // What is removed, and has nothing of others, is removed as a whole.
        return withValueAt(all, path, wants === undefined && isNothing(merged) ? undefined : merged);
      },
      withLive(declared, ignored) as CheckedArguments,
    );
  const masked = Object.entries(asObject(intended.secrets)).flatMap(([name, value]) =>
    value === hidden ? name : [],
  );
  if (masked.length > 0)
    throw new DeploymentError(`${hiddenSecretsText(masked, declared)}. Nothing was sent`);
  return { patch: patchFor(changes, intended, dialect), intended };
}

/** Secrets as the service shows them. If the response contains none, those that the service had. */
function secretsShown(live: Observed, before: Before, declared: CheckedArguments): Values {
  const names = [...secretsOfOthers(before, declared), ...Object.keys(declared.secrets ?? {})];
  const listed = argumentsIn(live)["secrets"] ?? Object.fromEntries(names.map((name) => [name, null]));
  return mapValues(asObject(listed), (value) => (isMasked(value, before) ? hidden : value));
}

/** Stands for an unknown secret value, and is never sent. */
const hidden = Symbol("hidden");

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

/** What was sent, without what `ignoreChanges` covers. Omits a whole list if it covers any part of it. */
export function withoutIgnored(sent: Values, ignoreChanges: readonly PathPattern[] = []): Values {
  const paths = coveredPaths(sent, ignoreChanges)
    // They are sent once, and only later changes are left to others.
    .filter((path) => !isAfterFirstRevision(path))
    .map((path) => {
      const index = path.findIndex((part) => typeof part === "number");
      return index === -1 ? path : path.slice(0, index);
    });
  return paths.reduce((rest, path) => withValueAt(rest, path, undefined), sent);
}
