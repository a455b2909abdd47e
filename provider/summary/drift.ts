/** What a refresh found that the program had not made so. */
import type { Redact } from "../text/redact";
import { logicalName } from "../urn";
import { changesOf, redacted, type ValueChange } from "./changes";
import type { PreviewStep } from "./preview";

/** What a refresh found to be otherwise than the program had made it. */
export interface DriftedDeployment {
  readonly name: string;
  readonly isDeleted: boolean;
  /** From what was declared to what is there. */
  readonly changes: readonly ValueChange[];
}

/** With `--refresh` the engine lists each resource that it has looked at, before what is to be done. */
export function withoutRefresh(steps: PreviewStep[]): PreviewStep[] {
  return steps.filter(({ op }) => op !== "refresh");
}

/** `pulumi refresh --preview-only`: then the steps are what it found, and no resource has two. */
export function isOnlyRefresh(groups: readonly PreviewStep[][]): boolean {
  const isLooked = groups.some((steps) => steps.some(({ op }) => op === "refresh"));
  return isLooked && groups.every(({ length }) => length === 1);
}

export function findDrift(
  steps: readonly PreviewStep[],
  isRefresh: boolean,
  redact: Redact,
): DriftedDeployment[] {
  const [looked, next] = isRefresh
    ? [steps[0]!, steps[0]!]
    : [steps.find(({ op }) => op === "refresh"), steps.find(({ op }) => op !== "refresh")];
  // The engine leaves out what stays as it is, unless it is asked to show it.
  if (looked?.oldState === undefined || next === undefined || (isRefresh && looked.op === "refresh"))
    return [];
  const found = isRefresh ? looked.newState : next.oldState;
  const name = logicalName(looked.urn);
  if (found === undefined) return [{ name, isDeleted: true, changes: [] }];
  const { diffReasons, detailedDiff } = isRefresh ? looked : {};
  const step: PreviewStep = {
    op: "refresh",
    urn: looked.urn,
    oldState: looked.oldState,
    newState: found,
    diffReasons,
    detailedDiff,
  };
  const changes = changesOf(step).map((change) => redacted(change, redact));
  return changes.length === 0 ? [] : [{ name, isDeleted: false, changes }];
}
