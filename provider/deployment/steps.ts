/**
 * What an `up` does, in at most two steps: the preview prints them, and `reconcile` carries them out.
 *
 * | The state before      | Declared                                  | Steps                                                 |
 * | --------------------- | ----------------------------------------- | ----------------------------------------------------- |
 * | No unfinished rollout | The same, or what the service has already | None                                                  |
 * | An unfinished rollout | The same                                  | Waits for it, unless `skipAwait` is declared          |
 * | Any                   | Something else                            | Sends the difference, and waits for its rollout       |
 * | No active revision    | Also a field that needs one               | Sends the rest (or only waits), then sends that field |
 */
import { withMissing } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { countsAsDeclared } from "./baseline";
import { type FieldChange, isOnceActive } from "./field-change";
import { type Plan, planChanges, planOf } from "./plan";
import type { Planned, State } from "./state";

/** What an update of a deployment does. */
export interface UpdatePlan extends Plan {
  /** Whether it waits for a rollout that an earlier run did not see finish. */
  readonly resumes: boolean;
  /** What is sent, or only the wait for an earlier rollout. Undefined if there is nothing to do. */
  readonly now: Plan | "wait" | undefined;
  /** Follows `now`, if a revision is active then: without one, the service refuses these changes. */
  readonly later: Plan | undefined;
}

export function planUpdate(before: State, { arguments: args }: Planned, dialect: Dialect): UpdatePlan {
  const had = withMissing(before.arguments, countsAsDeclared(before.private, args, dialect));
  const { effect, changes: found } = planChanges(had, args, dialect);
  // No program declared what was found, so leaving it out is no change.
  const changes = before.private.asFound ? found.filter((each) => !each.cannotClear) : found;
  const resumes = before.private.rollout !== undefined && args["skipAwait"] !== true;
  // It is missing in a state written by hand.
  const isActive = typeof before.observed.activeRevisionId === "string";
  const isLater = ({ effect, path }: FieldChange) => effect !== "none" && !isActive && isOnceActive(path);
  const sent = planOf(changes.filter((each) => !isLater(each)));
  const rest = planOf(changes.filter(isLater));
  const later = rest.effect === "none" ? undefined : rest;
  const wait = resumes || later !== undefined ? "wait" : undefined;
  return { effect, changes, resumes, now: sent.effect === "none" ? wait : sent, later };
}
