/** What is surprising about an update: what it keeps, loses or cannot do, although the plan does not say so. */
import type { ResourceOptions } from "./internal-inputs";
import type { Dialect } from "../dialects";
import { markIn, seenAt, secretsOfOthers } from "./baseline";
import { differencesInData } from "./drift";
import { isImmutable } from "./field-change";
import { hiddenSecretsText, keepsUndeclared } from "./keep";
import { listsIn, type Plan } from "./plan";
import type { State } from "./state";
import { leaves, withoutEffectText } from "../../schema/rows";
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
      ? lostByReplacement(state, declared)
      : [
          ...keptValues([...uncleared(plan), ...keptChoices(state, declared, dialect)]),
          ...replacedLists(plan, state, declared),
          ...resizedDatabase(plan, state, declared),
          ...hiddenSecrets(plan, state, declared, dialect),
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
function keptChoices({ arguments: had, private: { takenOver } }: State, declared: Values, dialect: Dialect) {
  if (takenOver) return [];
  return leaves
    .filter((row) => isImmutable(row, dialect))
    .filter(({ path }) => valueAt(had, path) !== undefined && valueAt(declared, path) === undefined)
    .filter(({ path }) => !isBelowUnknown(declared, path))
    .map(({ path }) => formatPath(path));
}

/** The service may have more in the lists of an imported or adopted deployment than the program declares. */
function replacedLists({ changes }: Plan, state: State, declared: Values): string[] {
  const { takenOver, seen } = state.private;
  if (!takenOver) return [];
  return listsIn(changes, state.arguments, declared)
    .filter((path) => hasMore(seenAt(seen, path), valueAt(state.arguments, path)))
    .map(
      (path) =>
        `${formatPath(path)} on the service is replaced completely: this update would remove what the program does not declare in it`,
    );
}

/** Whether the service showed more than what was declared, not just another value in its place. */
function hasMore(seen: unknown, declared: unknown): boolean {
  // Compared the other way round: what the service showed stands in for the declared value.
  return differencesInData(seen, declared).some(
    ({ declared: shown, observed: own }) =>
      own === undefined || own === null || (Array.isArray(shown) && Array.isArray(own)),
  );
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
function hiddenSecrets({ changes }: Plan, state: State, declared: Values, dialect: Dialect): string[] {
  const isSent = changes.some(({ path: [first], effect }) => first === "secrets" && effect !== "none");
  if (!isSent || !keepsUndeclared(["secrets"], state, dialect)) return [];
  const isMasked = (name: string) => markIn(seenAt(state.private.seen, ["secrets", name])) === "masked";
  const names = secretsOfOthers(state, declared).filter(isMasked);
  return names.length === 0 ? [] : [`${hiddenSecretsText(names)}: \`pulumi up\` refuses this update`];
}

/** The replacement of an imported or adopted deployment has only what the program declares. */
function lostByReplacement(state: State, declared: Values): string[] {
  if (!state.private.takenOver) return [];
  const secrets = secretsOfOthers(state, declared);
  const such = secrets.length > 0 ? `the secrets ${secrets.join(", ")}, and ` : "";
  return [
    `the replacement will not have what the program does not declare: ${such}anything else that was set outside of the program. ` +
      "Declare what you want to keep first",
  ];
}
