/** What an update would do, in more detail than the dynamic provider protocol can express. */
import { keeperOfName, type Dialect } from "../dialects";
import { demandOf, demandText } from "./demand";
import { type FieldChange, isImmutable } from "./field-change";
import { explanationText, failsAgainText, namesText, recordingText, resumesText } from "./explanation";
import { listsIn, type Plan, planChanges, uncleared } from "./plan";
import { planUpdate, type UpdatePlan } from "./steps";
import type { ResourceOptions } from "../internal-inputs";
import { isCovered, type PathPattern } from "../property-path";
import { outcomeOf } from "./revision-outcome";
import { seenAt, undeclaredAmong, undeclaredSecrets } from "./baseline";
import { keepsUndeclared } from "./keep";
import { differencesInData } from "./drift";
import type { Planned, State } from "./state";
import { leaves, type Row, rows } from "../../schema/rows";
import {
  asObject,
  differingPaths,
  formatPath,
  isEqual,
  isWithin,
  type Path,
  valueAt,
  type Values,
} from "../../schema/tree";

export interface Diff {
  readonly plan: UpdatePlan;
  /** The plan's, with replacements for `replaceOnChanges`, which the engine applies to details of its own. */
  readonly changes: readonly FieldChange[];
  /** The old deployment must be deleted before the new one can use its name. */
  readonly deleteBeforeReplace: boolean;
  /** One line for the user; undefined if there is nothing to do. */
  readonly explanation: string | undefined;
  /** Names of changed files in a source folder. */
  readonly details: readonly string[];
  /** Surprising effects. */
  readonly warnings: readonly string[];
}

/** @param isMoved the program assigned the deployment to another service or tenant */
export function diff(
  state: State,
  declared: Planned,
  dialect: Dialect,
  options: ResourceOptions = {},
  isMoved = false,
): Diff {
  const { replaceOnChanges = [], ignoreChanges = [], retainOnDelete = false } = options;
  const { arguments: args } = declared;
  const kept = planUpdate(state, declared, dialect);
  const plan: UpdatePlan = isMoved
    ? { ...kept, effect: "replacement", changes: [...kept.changes, move] }
    : kept;
  // Names are only unique within a service and tenant.
  const deleteBeforeReplace = state.arguments.name === args["name"] && !isMoved;
  const shown = withReplacements(plan, replaceOnChanges, state.arguments, args);
  const demand = changedDemand(state, args, dialect, shown.effect === "replacement", options.secretPaths);
  const told = withLostSecrets(shown, state, args, dialect, ignoreChanges);
  const explanation =
    resumption(state, dialect, shown, demand) ??
    explanationText(told, demand, shown.effect === "replacement" ? [] : shown.later?.changes) ??
    recordingText(planChanges(state.arguments, args, dialect)) ??
    readyLater(shown, args);
  const warnings =
    shown.effect === "replacement"
      ? [
          ...(retainOnDelete && deleteBeforeReplace ? retainedName(state, args) : []),
          ...keptName(state, deleteBeforeReplace && !retainOnDelete, dialect),
          ...lostByReplacement(state, args),
        ]
      : [
          ...keptValues([...uncleared(shown), ...keptChoices(state, args, dialect)]),
          ...replacedLists(shown, state, args),
          ...resizedDatabase(shown, state, args),
        ];
  return {
    plan,
    changes: shown.changes,
    deleteBeforeReplace,
    explanation,
    details: shown.changes.flatMap((change) => namesText(change) ?? []),
    warnings: [...warnings, ...withoutEffect({ ignoreChanges, replaceOnChanges })],
  };
}

/** What it takes to run, before and after; undefined if the update does not change it. */
function changedDemand(
  { arguments: had }: State,
  declared: Values,
  dialect: Dialect,
  isReplaced: boolean,
  secretPaths: readonly Path[] | undefined,
): string | undefined {
  if (!isReplaced && isEqual(had["sourceConfig"], declared["sourceConfig"])) return undefined;
  const before = demandOf(had, dialect, false, secretPaths);
  const now = demandOf(declared, dialect, isReplaced, secretPaths);
  return isReplaced || !isEqual(before, now) ? demandText(now, before) : undefined;
}

/** Changing only `ready` rolls nothing out, and does not check the running revision. */
function readyLater({ changes }: Plan, { ready }: Values): string | undefined {
  const isChanged = changes.some(({ path: [first] }) => first === "ready");
  if (!isChanged || ready === undefined) return undefined;
  return "checks `ready` from the next rollout on; nothing is sent now";
}

function keptValues(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const [are, values] = paths.length === 1 ? ["is", "value"] : ["are", "values"];
  return [
    `${paths.join(", ")} ${are} no longer declared, but this service cannot clear the ${values}: it keeps the last ${values}`,
  ];
}

/** With the secrets that others set on the service: a change of any secret replaces all of them. */
function withLostSecrets(
  plan: UpdatePlan,
  state: State,
  declared: Values,
  dialect: Dialect,
  ignoreChanges: readonly PathPattern[],
): UpdatePlan {
  const change = plan.changes.find(({ path: [first], inMap }) => first === "secrets" && inMap !== undefined);
  if (change === undefined || keepsUndeclared(["secrets"], state, dialect)) return plan;
  const known = { secrets: { ...asObject(state.arguments["secrets"]), ...asObject(declared["secrets"]) } };
  const lost = undeclaredAmong(asObject(state.private.seen?.["secrets"]), known)
    .map((name) => ({ ...change, path: ["secrets", name], inMap: "removed" as const }))
    .filter(({ path }) => !isCovered(path, ignoreChanges));
  return { ...plan, changes: [...plan.changes, ...lost] };
}

/** What was chosen on creation stays, although the program no longer says so. */
function keptChoices({ arguments: had, private: { takenOver } }: State, declared: Values, dialect: Dialect) {
  if (takenOver) return [];
  return leaves
    .filter((row) => isImmutable(row, dialect))
    .filter(({ path }) => valueAt(had, path) !== undefined && valueAt(declared, path) === undefined)
    .map(({ path }) => formatPath(path));
}

/** Paths in the resource options that are not those of an argument. */
function withoutEffect(options: Readonly<Record<string, readonly PathPattern[]>>): string[] {
  return Object.entries(options).flatMap(([option, paths]) =>
    paths
      .filter((path) => !namesArgument(path))
      .map(
        (path) => `\`${option}\` mentions ${formatPath(path)}, which is not an argument: it has no effect`,
      ),
  );
}

function namesArgument(pattern: PathPattern): boolean {
  const wild = pattern.findIndex((part) => part === "*" || String(part).startsWith("__"));
  const names = wild === -1 ? pattern : pattern.slice(0, wild);
  const isNamed = ({ path, field }: Row) =>
    isWithin(names, path) && (field.kind === "leaf" || names.length === path.length);
  return names.length === 0 || rows.some(isNamed);
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

/** The replacement of an imported or adopted deployment has only what the program declares. */
function lostByReplacement(state: State, declared: Values): string[] {
  if (!state.private.takenOver) return [];
  const secrets = undeclaredSecrets(state, declared);
  const such = secrets.length > 0 ? `the secrets ${secrets.join(", ")}, and ` : "";
  return [
    `the replacement will not have what the program does not declare: ${such}anything else that was set outside of the program. ` +
      "Declare what you want to keep first",
  ];
}

/** Warns of a replacement under the name that a retained deployment keeps, unless it adopts that one. */
function retainedName({ arguments: { source } }: State, declared: Values): string[] {
  const isSameSource = declared["source"] === source;
  if (isSameSource && declared["adopt"] === true) return [];
  const adoption = isSameSource ? ", or set `adopt: true` to take the old one over" : "";
  return [
    "`retainOnDelete` keeps the old deployment, which keeps the name, so the service will refuse to create the replacement: " +
      `choose another name${adoption}`,
  ];
}

/** Warns of a replacement under the same name, if the service still reserves the name after the deletion. */
function keptName(state: State, isSameName: boolean, dialect: Dialect): string[] {
  const keeper = keeperOfName(state.arguments, dialect);
  if (!isSameName || keeper === undefined) return [];
  const { what, freedBy } = keeper;
  return [
    `after the deletion, ${what} still uses the name, so the service will refuse to create the replacement: delete it in the ` +
      `service, or set only \`${freedBy}: true\` and run \`pulumi up\` first, or choose another name`,
  ];
}

/** Like the engine, which compares the members of lists and objects one by one. */
function withReplacements(
  plan: UpdatePlan,
  patterns: readonly PathPattern[],
  had: Values,
  declared: Values,
): UpdatePlan {
  const isReplacing = ({ path, isContent }: FieldChange) => {
    const inner = differingPaths(valueAt(had, path), valueAt(declared, path), path);
    // What only the service has, because nobody declared it, is no change to the engine.
    const isChanged = isContent || inner.length > 0;
    return isChanged && [path, ...inner].some((each) => isCovered(each, patterns));
  };
  if (!plan.changes.some(isReplacing)) return plan;
  const changes = plan.changes.map((change): FieldChange => {
    return isReplacing(change) ? { ...change, effect: "replacement" } : change;
  });
  return { ...plan, effect: "replacement", changes };
}

/** The change that a move stands for. Comparing the arguments does not show it. */
const move: FieldChange = {
  path: ["provider"],
  patchPath: ["provider"],
  effect: "replacement",
  cannotClear: false,
};

/** What an update does that makes no new revision before an earlier rollout has ended. */
function resumption(
  { observed, private: { rollout } }: State,
  dialect: Dialect,
  { effect, resumes, now, later }: UpdatePlan,
  demand: string | undefined,
): string | undefined {
  const sent = now === "wait" ? undefined : now;
  if (!resumes || effect === "replacement" || sent?.effect === "revision") return undefined;
  const { latestRevisionId: latest, latestRevisionStatus: status } = observed;
  const isFailed = latest === rollout?.revision && outcomeOf(observed, dialect) === "failed";
  const next = isFailed
    ? failsAgainText(status!, later?.changes ?? [])
    : resumesText(later && explanationText(later));
  return [sent && explanationText(sent), next, isFailed ? undefined : demand].filter(Boolean).join("; ");
}
