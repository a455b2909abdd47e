/**
 * What an `up` does, as a list of steps: the preview prints it, and `reconcile` carries it out.
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
import { type FieldChange, isOnceActive, severestOf } from "./field-change";
import { type Plan, planChanges } from "./plan";
import type { Outputs, Planned, State } from "./state";

/** Sends its changes, if there are any, and waits for the rollout. */
export interface Step extends Plan {
  /** Without an active revision, the service refuses it: it is left to the next `up`. */
  readonly needsActive: boolean;
}

/** What an update of a deployment does. */
export interface UpdatePlan extends Plan {
  /** Whether it waits for a rollout that an earlier run did not see finish. */
  readonly resumes: boolean;
  readonly steps: readonly Step[];
}

/** `activeRevisionId` is missing in a state written by hand. */
export function isActive({ activeRevisionId }: Pick<Outputs, "activeRevisionId">): boolean {
  return typeof activeRevisionId === "string";
}

export function planUpdate(before: State, { arguments: args }: Planned, dialect: Dialect): UpdatePlan {
  const had = withMissing(before.arguments, countsAsDeclared(before.private, args, dialect));
  const { kind, changes: found } = planChanges(had, args, dialect);
  // Nobody declared what was found on a deployment that was taken over, so leaving it out is no change.
  const changes = before.private.takenOver ? found.filter((each) => !each.cannotClear) : found;
  const resumes = before.private.rollout !== undefined && args["skipAwait"] !== true;
  const isLater = (each: FieldChange) =>
    each.kind !== "none" && !isActive(before.observed) && isOnceActive(each.path);
  const now = stepOf(
    changes.filter((each) => !isLater(each)),
    false,
  );
  const later = stepOf(changes.filter(isLater), true);
  const hasLater = later.kind !== "none";
  const comesFirst = now.kind !== "none" || resumes || hasLater;
  const steps = [...(comesFirst ? [now] : []), ...(hasLater ? [later] : [])];
  return { kind, changes, resumes, steps };
}

function stepOf(changes: readonly FieldChange[], needsActive: boolean): Step {
  return { kind: severestOf(changes.map(({ kind }) => kind)), changes, needsActive };
}
