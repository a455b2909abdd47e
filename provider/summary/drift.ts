/** Finds the changes that a refresh detected. */
import type { Redact } from "../text/redact";
import { logicalName } from "../urn";
import { changesOf, redacted, type ValueChange } from "./changes";
import type { PreviewStep } from "./preview";

/** A deployment that was changed or deleted outside the program. */
export interface DriftedDeployment {
  readonly name: string;
  readonly isDeleted: boolean;
  /** From the declared to the actual values. */
  readonly changes: readonly ValueChange[];
}

/** Whether the output is from `pulumi refresh --preview-only`, which lists one step per resource. */
export function isOnlyRefresh(groups: readonly PreviewStep[][]): boolean {
  const hasRefresh = groups.some((steps) => steps.some(({ op }) => op === "refresh"));
  return hasRefresh && groups.every(({ length }) => length === 1);
}

export function findDrift(
  steps: readonly PreviewStep[],
  isRefresh: boolean,
  redact: Redact,
): DriftedDeployment[] {
  const [refreshed, next] = isRefresh
    ? [steps[0]!, steps[0]!]
    : [steps.find(({ op }) => op === "refresh"), steps.find(({ op }) => op !== "refresh")];
  // Without a second step, the resource is unchanged.
  if (refreshed?.oldState === undefined || next === undefined || (isRefresh && refreshed.op === "refresh"))
    return [];
  const found = isRefresh ? refreshed.newState : next.oldState;
  const name = logicalName(refreshed.urn);
  if (found === undefined) return [{ name, isDeleted: true, changes: [] }];
  const { diffReasons, detailedDiff } = isRefresh ? refreshed : {};
  const step: PreviewStep = {
    op: "refresh",
    urn: refreshed.urn,
    oldState: refreshed.oldState,
    newState: found,
    diffReasons,
    detailedDiff,
  };
  const changes = changesOf(step).map((change) => redacted(change, redact));
  return changes.length === 0 ? [] : [{ name, isDeleted: false, changes }];
}
