/** What is surprising about an update: what it keeps, loses or cannot do, although the plan does not say so. */
import type { ResourceOptions } from "./internal-inputs";
import type { Dialect } from "../dialects";
import { isImmutable } from "./field-change";
import { isHidden } from "./merge";
import { chosenIn, hiddenSecretsText, masksIn } from "./patch";
import type { Plan } from "./plan";
import { secretsOfOthers } from "./shown";
import type { State } from "./state";
import { leaves, rows, withoutEffectText } from "../../schema/rows";
import { asObject, formatPath, isBelowUnknown, valueAt, type Values } from "../../schema/tree";

export function warningsOf(
  plan: Plan,
  state: State,
  declared: Values,
  dialect: Dialect,
  { replaceOnChanges = [], ignoreChanges = [] }: ResourceOptions,
): string[] {
  const surprises =
    plan.effect === "replacement"
      ? lostByReplacement(state, declared, dialect)
      : [
          ...keptValues([...uncleared(plan), ...keptChoices(state, declared, dialect)]),
          ...resizedDatabase(plan, state, declared),
          ...hiddenSecrets(plan, state, declared),
        ];
  return [
    ...surprises,
    ...ignoreChanges.flatMap((path) => withoutEffectText("ignoreChanges", path) ?? []),
    ...replaceOnChanges.flatMap((path) => withoutEffectText("replaceOnChanges", path) ?? []),
  ];
}

/** Paths of values that the program removes and the service cannot clear. An upload replaces a declared path. */
export function uncleared({ changes }: Plan): string[] {
  const isUploaded = changes.some(({ isContent, effect }) => isContent && effect === "revision");
  return changes
    .filter(({ cannotClear }) => cannotClear)
    .map(({ path }) => formatPath(path))
    .filter((path) => !isUploaded || path !== "sourceRevisionConfig.sourceTarballPath");
}

function keptValues(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const [are, values] = paths.length === 1 ? ["is", "value"] : ["are", "values"];
  return [
    `${paths.join(", ")} ${are} no longer declared, but this service cannot clear the ${values}: it keeps the last ${values}`,
  ];
}

/** What was chosen on creation stays, although the program no longer says so. */
function keptChoices({ arguments: had }: State, declared: Values, dialect: Dialect) {
  return leaves
    .filter((row) => isImmutable(row, dialect))
    .filter(({ path }) => valueAt(had, path) !== undefined && valueAt(declared, path) === undefined)
    .filter(({ path }) => !isBelowUnknown(declared, path))
    .map(({ path }) => formatPath(path));
}

/** The size of a deployment is also that of its database, which may have had another. */
function resizedDatabase({ changes }: Plan, { observed }: State, { sourceConfig }: Values): string[] {
  const { deploymentTier: tier, databaseTier: before } = observed;
  const after = asObject(sourceConfig)["deploymentTier"];
  const isChanged = changes.some(({ path }) => formatPath(path) === "sourceConfig.deploymentTier");
  if (!isChanged || !before || before === tier || before === after || typeof after !== "string") return [];
  return [
    `sourceConfig.deploymentTier also sets the size of the database, which is ${before} now, to ${after}`,
  ];
}

/** An update refuses a change of secrets that would lose those that the service masks. */
function hiddenSecrets({ changes }: Plan, state: State, declared: Values): string[] {
  const isSent = changes.some(({ path: [first], effect }) => first === "secrets" && effect !== "none");
  const shown = asObject(state.private.shown?.["secrets"]);
  const isMask = (value: unknown) => isHidden(value) || masksIn(state).includes(value);
  const names = isSent ? secretsOfOthers(state, declared).filter((name) => isMask(shown[name])) : [];
  return names.length === 0 ? [] : [`${hiddenSecretsText(names)}: \`pulumi up\` refuses this update`];
}

/** A replacement has only what the program declares. */
function lostByReplacement(state: State, declared: Values, dialect: Dialect): string[] {
  const secrets = secretsOfOthers(state, declared).map((name) => formatPath(["secrets", name]));
  const set = rows
    .filter(({ isWhole, path: [first] }) => isWhole && first !== "secrets")
    .flatMap(({ path }) =>
      Object.keys(chosenIn(valueAt(state.private.shown, path), {}, path, dialect))
        .map((name) => [...path, name])
        .filter((each) => valueAt(declared, each) === undefined)
        .map(formatPath),
    );
  const lost = [...secrets, ...set];
  if (lost.length === 0) return [];
  return [
    `the replacement will not have what was set outside of the program: ${lost.join(", ")}. Declare what you want to keep first`,
  ];
}
