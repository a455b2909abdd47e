/** The state and the type of a deployment in the words of every command. */
import type { Dialect } from "../../provider/dialects";
import { userWord } from "../../provider/dialects/words";
import { isDeleting, runsOlder, type Observed } from "../../provider/deployment/service";
import { outcomeOf } from "../../provider/deployment/awaited-revision";
import { waitingStatuses } from "../../provider/deployment/wait";

/** A status that this version does not know is shown as it is. */
export type DeploymentState = KnownState | (string & {});
type KnownState =
  | "ready"
  | "failed"
  | `serving, last ${string} failed`
  | "rolling out"
  | "no revision"
  | "deleting"
  | "unknown";

/** @param observed with the status of its latest revision */
export function stateOf(observed: Observed, dialect: Dialect): DeploymentState {
  const { status: word, activeRevisionId: active, latestRevisionId: latest } = observed;
  if (isDeleting(observed)) return "deleting";
  const outcome = outcomeOf(observed, dialect);
  if (outcome === "failed") {
    const what = dialect.revisionStatuses?.failed[observed.latestRevisionStatus ?? ""] ?? "rollout";
    return runsOlder(observed) ? `serving, last ${what} failed` : "failed";
  }
  if (word !== "READY" && word !== "UNUSED") {
    const isWaiting = latest !== active || waitingStatuses.includes(word);
    return isWaiting ? "rolling out" : word || "unknown";
  }
  if (latest === null) return "no revision";
  if (latest === active) return "ready";
  // After a stopped or skipped revision, the active one keeps running. Without one, nothing runs.
  if (outcome === "stopped" || outcome === "skipped") return active === null ? "failed" : "ready";
  return "rolling out";
}

/** Whether the latest revision has failed, even if another one serves. */
export function hasFailed(state: DeploymentState): boolean {
  return state.endsWith("failed");
}

/** The type in the words that users know; null in a dialect without such words, or if the service does not report one. */
export function deploymentTypeOf(
  { sourceConfig }: Pick<Observed, "sourceConfig">,
  dialect: Dialect,
): string | null {
  const { deploymentType } = sourceConfig;
  const path = "sourceConfig.deploymentType";
  const isShown = typeof deploymentType === "string" && Object.hasOwn(dialect.words, path);
  return isShown ? userWord(deploymentType, path, dialect) : null;
}
