/** What a status of a revision means. One that a dialect does not list means to keep waiting. */
import type { Dialect } from "../dialects";
import type { Revision } from "./service";
import type { Outputs } from "./state";

export type RevisionOutcome = "failed" | "deployed" | "stopped" | "skipped";

/** How the latest revision ended; undefined while it is in progress, or if the service does not report it. */
export function outcomeOf(
  { status, latestRevisionStatus }: Pick<Outputs, "status" | "latestRevisionStatus">,
  dialect: Dialect,
): RevisionOutcome | undefined {
  const outcome = meaningOf(latestRevisionStatus ?? "", dialect);
  return outcome === "deployed" && status !== "READY" ? undefined : outcome;
}

/** Whether a revision has ended, successfully or not. */
export function hasEnded({ status }: Pick<Revision, "status">, dialect: Dialect): boolean {
  return meaningOf(status, dialect) !== undefined;
}

function meaningOf(status: string, { revisionStatuses: known }: Dialect): RevisionOutcome | undefined {
  if (known === undefined) return undefined;
  if (Object.hasOwn(known.failed, status)) return "failed";
  if (status === known.stopped) return "stopped";
  if (status === known.skipped) return "skipped";
  return status === known.deployed ? "deployed" : undefined;
}
