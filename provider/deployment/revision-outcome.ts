/** What a status of a revision means. One that a dialect does not list means to keep waiting. */
import { type Dialect, type RevisionOutcome, revisionOutcome } from "../dialects";
import type { Outputs } from "./state";

/** How the latest revision ended; undefined while it is in progress, or if the service does not report it. */
export function outcomeOf(
  { status, latestRevisionStatus }: Pick<Outputs, "status" | "latestRevisionStatus">,
  dialect: Dialect,
): RevisionOutcome | undefined {
  const outcome = revisionOutcome(latestRevisionStatus ?? "", dialect);
  return outcome === "deployed" && status !== "READY" ? undefined : outcome;
}
