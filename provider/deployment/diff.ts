/** What an update would do, in more detail than the dynamic provider protocol can express. */
import type { Dialect } from "../dialects";
import { contentIn } from "./content";
import type { FieldChange } from "./field-change";
import { explanationText, failsAgainText, localText, resumesText } from "./explanation";
import { effectOf, plan, type Plan } from "./plan";
import type { ResourceOptions } from "./context";
import { isCovered, type PathPattern } from "../../schema/property-path";
import { outcomeOf } from "./awaited-revision";
import type { Planned, State } from "./state";
import { warningsOf } from "./update-warnings";
import { differingPaths, formatPath, isEqual, valueAt, type Values } from "../../schema/tree";

export interface Diff {
  /** With replacements for `replaceOnChanges`. */
  readonly plan: Plan;
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
  const { arguments: args } = declared;
  const update = plan(state, declared, dialect);
  // Names are only unique within a service and tenant.
  const deleteBeforeReplace = state.arguments.name === args["name"] && !isMoved;
  const changes = [...update.changes, ...(isMoved ? [move] : [])]
    .map((change) => withReplacement(change, state.arguments, args, options.replaceOnChanges))
    .map((change) => withFollowed(change, options.follows));
  const planned = { ...update, changes, effect: effectOf(changes) };
  const isReplaced = planned.effect === "replacement";
  const explanation =
    resumption(state, dialect, planned) ??
    explanationText(changes, isReplaced ? [] : update.later)?.concat(serverText(planned, state, args)) ??
    localText([...changes, ...optionChanges(options, before)]);
  return {
    plan: planned,
    deleteBeforeReplace,
    explanation,
    warnings: warningsOf(planned, state, args, dialect, options),
  };
}

/** The service builds each revision of a folder on the newest server, whatever has changed. */
function serverText({ effect }: Plan, { observed: { imageVersion } }: State, declared: Values): string {
  const content = contentIn(declared);
  if (effect !== "revision" || content === undefined || content.pinsServer) return "";
  return `; on the newest server${imageVersion ? ` (now ${imageVersion})` : ""}`;
}

function hasFailed({ observed, private: { rollout } }: State, dialect: Dialect): boolean {
  return observed.latestRevisionId === rollout?.revision && outcomeOf(observed, dialect) === "failed";
}

/** The option that the dynamic provider stores among the arguments. */
function optionChanges({ timeouts }: ResourceOptions, before: ResourceOptions): FieldChange[] {
  return isEqual(timeouts, before.timeouts) ? [] : [{ ...move, path: ["customTimeouts"], effect: "none" }];
}

/** With the output of another resource that an unknown value follows. */
function withFollowed(change: FieldChange, follows: ResourceOptions["follows"] = {}): FieldChange {
  const followed = change.isUnknown ? follows[formatPath(change.path)] : undefined;
  return followed === undefined ? change : { ...change, follows: followed };
}

/** Like the engine, which compares the members of lists and objects one by one. */
function withReplacement(
  change: FieldChange,
  had: Values,
  declared: Values,
  patterns: readonly PathPattern[] = [],
): FieldChange {
  const { path, isContent } = change;
  const inner = differingPaths(valueAt(had, path), valueAt(declared, path), path);
  // What only the service has, because nobody declared it, is no change to the engine.
  const isChanged = isContent || inner.length > 0;
  const isReplacing = isChanged && [path, ...inner].some((each) => isCovered(each, patterns));
  return isReplacing ? { ...change, effect: "replacement" } : change;
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
  { effect, resumes, now, later }: Plan,
): string | undefined {
  if (!resumes || effect === "replacement" || effectOf(now) === "revision") return undefined;
  const next = hasFailed(state, dialect)
    ? failsAgainText(state.observed.latestRevisionStatus!, later)
    : resumesText(explanationText(later));
  return [explanationText(now), next].filter(Boolean).join("; ");
}
