/** What an update would do, in more detail than the dynamic provider protocol can express. */
import type { Dialect } from "../dialects";
import { databaseVariables } from "../dialects/databases";
import { contentIn } from "./content";
import type { FieldChange } from "./field-change";
import { explanationText, failsAgainText, recordingText, resumesText } from "./explanation";
import { type Plan, changesBetween, planOf, planUpdate, type UpdatePlan } from "./plan";
import type { ResourceOptions } from "./internal-inputs";
import { isCovered, type PathPattern } from "../../schema/property-path";
import { outcomeOf } from "./revision-outcome";
import type { Planned, State } from "./state";
import { warningsOf } from "./update-warnings";
import { asObject, differingPaths, formatPath, isEqual, valueAt, type Values } from "../../schema/tree";

export interface Diff {
  /** With replacements for `replaceOnChanges`. */
  readonly plan: UpdatePlan;
  /** The old deployment must be deleted before the new one can use its name. */
  readonly deleteBeforeReplace: boolean;
  /** One line for the user; undefined if there is nothing to do. */
  readonly explanation: string | undefined;
  /** Surprising effects. */
  readonly warnings: readonly string[];
}

/**
 * @param isMoved the program assigned the deployment to another service or tenant
 * @param before the options at the last run
 */
export function diff(
  state: State,
  declared: Planned,
  dialect: Dialect,
  options: ResourceOptions = {},
  isMoved = false,
  before = options,
): Diff {
  const { replaceOnChanges = [] } = options;
  const { arguments: args } = declared;
  const update = planUpdate(state, declared, dialect);
  // Names are only unique within a service and tenant.
  const deleteBeforeReplace = state.arguments.name === args["name"] && !isMoved;
  const planned = withReplacements(update, isMoved, replaceOnChanges, state.arguments, args);
  const plan = withFollowed(planned, options.follows);
  const isReplaced = plan.effect === "replacement";
  const explanation =
    resumption(state, dialect, plan) ??
    explanationText(plan, isReplaced ? [] : plan.later?.changes)?.concat(
      serverText(plan, state, args),
      failureText(plan, state, dialect),
    ) ??
    recordingText(recordedOnly(changesBetween(state.arguments, args, dialect), options, before));
  return {
    plan,
    deleteBeforeReplace,
    explanation,
    warnings: [...warningsOf(plan, state, args, dialect, options), ...lostDatabases(plan, args, dialect)],
  };
}

/** A deployment that has once had a database of one's own fails without it. */
function lostDatabases({ changes, effect }: Plan, declared: Values, dialect: Dialect): string[] {
  if (effect === "replacement") return [];
  const maps = ["secrets", "secretReferences"];
  const names = changes.flatMap(({ path: [map, name], inMap }) =>
    maps.includes(String(map)) && inMap === "removed" ? String(name) : [],
  );
  const isLost = (name: string) =>
    names.includes(name) && maps.every((map) => !Object.hasOwn(asObject(declared[map]), name));
  return databaseVariables(dialect)
    .filter(isLost)
    .map(
      (name) =>
        `${name} is removed: a deployment keeps its own database for life, and without the variable its next revision fails. ` +
        "Declare it again",
    );
}

/** The service builds each revision of a folder on the newest server, whatever has changed. */
function serverText({ effect }: Plan, { observed: { imageVersion } }: State, declared: Values): string {
  const content = contentIn(declared);
  if (effect !== "revision" || content === undefined || content.pinsServer) return "";
  return `; on the newest server${imageVersion ? ` (now ${imageVersion})` : ""}`;
}

/** A reviewer sees that the new revision follows one that failed. */
function failureText({ effect }: Plan, state: State, dialect: Dialect): string {
  const isNext = effect === "revision" && hasFailed(state, dialect);
  return isNext ? `; the last one failed (${state.observed.latestRevisionStatus})` : "";
}

function hasFailed({ observed, private: { rollout } }: State, dialect: Dialect): boolean {
  return observed.latestRevisionId === rollout?.revision && outcomeOf(observed, dialect) === "failed";
}

/** With the option that the dynamic provider stores among the arguments. */
function recordedOnly(plan: Plan, { timeouts }: ResourceOptions, before: ResourceOptions): Plan {
  if (isEqual(timeouts, before.timeouts)) return plan;
  return { ...plan, changes: [...plan.changes, { ...move, path: ["customTimeouts"], effect: "none" }] };
}

/** With the outputs of other resources that unknown values follow. */
function withFollowed(plan: UpdatePlan, follows: ResourceOptions["follows"] = {}): UpdatePlan {
  const changes = plan.changes.map((change) => {
    const followed = change.isUnknown ? follows[formatPath(change.path)] : undefined;
    return followed === undefined ? change : { ...change, follows: followed };
  });
  return { ...plan, changes };
}

/** With the move, and like the engine, which compares the members of lists and objects one by one. */
function withReplacements(
  plan: UpdatePlan,
  isMoved: boolean,
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
  const changes = [...plan.changes, ...(isMoved ? [move] : [])].map((change): FieldChange => {
    return isReplacing(change) ? { ...change, effect: "replacement" } : change;
  });
  return { ...plan, ...planOf(changes) };
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
  state: State,
  dialect: Dialect,
  { effect, resumes, now, later }: UpdatePlan,
): string | undefined {
  const sent = now === "wait" ? undefined : now;
  if (!resumes || effect === "replacement" || sent?.effect === "revision") return undefined;
  const next = hasFailed(state, dialect)
    ? failsAgainText(state.observed.latestRevisionStatus!, later?.changes ?? [])
    : resumesText(later && explanationText(later));
  return [sent && explanationText(sent), next].filter(Boolean).join("; ");
}
