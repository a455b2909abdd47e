/** The revision that a rollout is about: which one it is, how it ended, and whether it is active. No request and no clock. */
import { type Dialect, type RevisionOutcome, revisionOutcome } from "../dialects";
import type { Observed } from "./service";
import type { Rollout } from "./private-state";
import type { Outputs } from "./state";

/** How the latest revision ended without becoming active; undefined otherwise, or if the dialect does not list its status. */
export function outcomeOf(
  { latestRevisionStatus }: Pick<Outputs, "latestRevisionStatus">,
  dialect: Dialect,
): Exclude<RevisionOutcome, "deployed"> | undefined {
  const outcome = revisionOutcome(latestRevisionStatus ?? "", dialect);
  return outcome === "deployed" ? undefined : outcome;
}

/** The rollout of a revision newer than the previous ones. */
export function rolloutSince({ latestRevisionId }: Observed, previous: readonly string[]): Rollout {
  // A stale response shows an earlier revision, which is not the one to wait for.
  const revision = latestRevisionId !== null && previous.includes(latestRevisionId) ? null : latestRevisionId;
  return { revision, previous };
}

/** The rollout of the first revision, if none was active yet: unfinished work, whoever created it, perhaps a killed run. */
export function firstRollout(observed: Observed): Rollout | undefined {
  const { latestRevisionId: latest, activeRevisionId: active } = observed;
  return latest !== null && active === null ? rolloutSince(observed, []) : undefined;
}

/** Whether the rollout of a revision has succeeded. */
export function isRolledOut(observed: Observed, wait: Rollout): boolean {
  const { status, activeRevisionId, latestRevisionId } = observed;
  if (status !== "READY") return false;
  if (activeRevisionId !== null && activeRevisionId === wait.revision) return true;
  return isLatestNew(observed, wait) && activeRevisionId === latestRevisionId;
}

/** Whether the latest revision is the awaited one or a newer one. Stale responses show an older one. */
export function isLatestNew({ latestRevisionId }: Observed, { revision, previous }: Rollout): boolean {
  if (latestRevisionId === null) return false;
  return latestRevisionId === revision || !previous.includes(latestRevisionId);
}

/** Adds the revision to the rollout, if the response shows it. */
export function identifyRevision(rollout: Rollout, observed: Observed): Rollout {
  const isNew = rollout.revision === null && isLatestNew(observed, rollout);
  return isNew ? { ...rollout, revision: observed.latestRevisionId } : rollout;
}
