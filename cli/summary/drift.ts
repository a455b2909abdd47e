/** Finds the changes that a refresh detected. */
import type { Dialect } from "../../provider/dialects";
import type { Redact } from "../../provider/text/redact";
import { logicalName } from "../../provider/text/urn";
import { changesOf, readable, type ValueChange } from "./changes";
import type { PreviewStep, ResourceState } from "./preview";
import { secretMark } from "./secret";

/** A deployment that was changed or deleted outside the program. */
export interface DriftedDeployment {
  readonly name: string;
  readonly isDeleted: boolean;
  /** From the declared to the actual values. */
  readonly changes: readonly ValueChange[];
}

/**
 * Whether the output is from `pulumi refresh --preview-only`, which lists one step per resource. `pulumi preview --refresh` lists
 * what it plans after what it refreshed.
 */
export function isOnlyRefresh(groups: readonly PreviewStep[][]): boolean {
  const hasRefresh = groups.some((steps) => steps.some(({ op }) => op === "refresh"));
  // It finds nothing, a change or a deletion of each resource. With `--run-program`, the stack is listed as unchanged.
  const found = ["refresh", "update", "delete", "same"];
  const isFound = ([step, ...more]: readonly PreviewStep[]) =>
    found.includes(step!.op) && (more.length === 0 || step!.op === "delete");
  return hasRefresh && groups.every(isFound);
}

export function findDrift(
  steps: readonly PreviewStep[],
  isRefresh: boolean,
  redact: Redact,
  dialect: Dialect,
): DriftedDeployment[] {
  const [refreshed, next] = isRefresh
    ? [steps[0]!, steps[0]!]
    : [steps.find(({ op }) => op === "refresh"), steps.find(({ op }) => op !== "refresh")];
  if (refreshed?.oldState === undefined || (isRefresh && refreshed.op === "refresh")) return [];
  const there = isRefresh ? refreshed.newState : next?.oldState;
  const name = logicalName(refreshed.urn);
  if (there === undefined) return [{ name, isDeleted: true, changes: [] }];
  const step: PreviewStep = isRefresh
    ? refreshed
    : { ...refreshed, newState: there, diffReasons: plannedPaths(steps, refreshed.oldState, there) };
  const changes = changesOf(step).map((change) =>
    readable(isRefresh ? change : uncertainIfHidden(change), redact, dialect),
  );
  return changes.length === 0 ? [] : [{ name, isDeleted: false, changes }];
}

/** The paths of the planned changes, any of which a refresh may have found. None if it left the state as it was. */
function plannedPaths(steps: readonly PreviewStep[], before: ResourceState, there: ResourceState): string[] {
  if (there.modified !== undefined && there.modified === before.modified) return [];
  return steps.flatMap(({ diffReasons, detailedDiff }) => [
    ...(diffReasons ?? []),
    ...Object.keys(detailedDiff ?? {}),
  ]);
}

/** The preview hides both values, so only the planned change shows that one of them differs from the other. */
function uncertainIfHidden(change: ValueChange): ValueChange {
  if (change.before !== secretMark || change.after !== secretMark) return change;
  return { ...change, before: undefined, after: "secret changed, by hand or in the program" };
}
