/** What is surprising about an update: what it keeps, loses or cannot do, although the plan does not say so. */
import type { ResourceOptions } from "./context";
import type { Dialect } from "../dialects";
import { databaseVariables } from "../dialects/databases";
import type { Plan } from "./plan";
import { hiddenSecretsText, isMasked, secretsOfOthers } from "./secrets";
import type { State } from "./state";
import { withoutEffectText } from "../../schema/rows";
import { isCovered, type PathPattern } from "../../schema/property-path";
import { asObject, formatPath, type Values } from "../../schema/tree";

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
          ...uncleared(plan),
          ...hiddenSecrets(plan, state, declared, ignoreChanges),
          ...lostDatabases(plan, declared, dialect),
        ];
  return [
    ...surprises,
    ...ignoreChanges.flatMap((path) => withoutEffectText("ignoreChanges", path) ?? []),
    ...replaceOnChanges.flatMap((path) => withoutEffectText("replaceOnChanges", path) ?? []),
  ];
}

/** Values that the program removes and the service cannot clear. An upload replaces a declared path. */
function uncleared({ changes }: Plan): string[] {
  const isUploaded = changes.some(({ isContent, effect }) => isContent && effect === "revision");
  return changes
    .filter(({ cannotClear }) => cannotClear)
    .map(({ path }) => formatPath(path))
    .filter((path) => !isUploaded || path !== "sourceRevisionConfig.sourceTarballPath")
    .map((path) => `${path} is no longer declared but stays: this service cannot clear it`);
}

/** An update refuses a change of secrets that would lose those that the service masks. */
function hiddenSecrets(
  { changes }: Plan,
  state: State,
  declared: Values,
  ignoreChanges: readonly PathPattern[],
): string[] {
  const isSent = changes.some(({ path: [first], effect }) => first === "secrets" && effect !== "none");
  const secrets = asObject(state.private.shown?.["secrets"]);
  const others = secretsOfOthers(state, declared).filter((name) => isMasked(secrets[name], state));
  // The state records what the service shows of a declared secret only if that is not its value.
  const ignored = Object.keys(asObject(declared["secrets"])).filter(
    (name) => isCovered(["secrets", name], ignoreChanges) && Object.hasOwn(secrets, name),
  );
  const names = [...others, ...ignored];
  if (!isSent || names.length === 0) return [];
  return [`${hiddenSecretsText(names, declared)}: \`pulumi up\` refuses this update`];
}

/** A deployment that has once had a database of one's own fails without it. */
function lostDatabases({ changes }: Plan, declared: Values, dialect: Dialect): string[] {
  const maps = ["secrets", "secretReferences"];
  const removed = changes
    .filter(({ effect, inMap }) => effect !== "none" && inMap === "removed")
    .flatMap(({ path: [map, name] }) => (maps.includes(String(map)) ? name : []));
  const isDeclared = (name: string) => maps.some((map) => Object.hasOwn(asObject(declared[map]), name));
  return databaseVariables(dialect)
    .filter((name) => removed.includes(name) && !isDeclared(name))
    .map(
      (name) =>
        `${name} is removed: a deployment keeps its own database for life, and without the variable its next revision fails. ` +
        "Declare it again",
    );
}

/** A replacement has only what the program declares, and nobody can read the others' secrets after the deletion. */
function lostByReplacement(state: State, declared: Values): string[] {
  const names = secretsOfOthers(state, declared);
  if (names.length === 0) return [];
  return [
    `the replacement will not have secrets that the program does not declare: ${names.join(", ")}. Declare what you want to keep first`,
  ];
}
