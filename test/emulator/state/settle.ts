import { laterThan, type ControlPlane } from "./control-plane";
import { latestRevision, type DeploymentRecord, type RevisionRecord } from "./record";
import { isGone, rolloutProgress } from "./script";

/** Brings every deployment to where the clock and the looks so far have taken it. */
export function settle(plane: ControlPlane): void {
  plane.deployments = plane.deployments.filter((record) => !isDeleted(plane, record));
  for (const record of plane.deployments) {
    const revision = latestRevision(record);
    if (record.deletion === undefined && revision?.state === "rolling-out") advance(plane, record, revision);
  }
}

/** Counts the answers that contained these deployments. Call it after the answer was made. */
export function countLook(plane: ControlPlane, shown: readonly DeploymentRecord[]): void {
  for (const record of shown) {
    const revision = latestRevision(record);
    if (record.deletion !== undefined) record.deletion.looks += 1;
    else if (revision?.state === "rolling-out") revision.looks += 1;
  }
  settle(plane);
}

/** Ends the running rollout now, and well. */
export function finishRollout(plane: ControlPlane, record: DeploymentRecord): void {
  const revision = latestRevision(record);
  if (revision?.state !== "rolling-out") return;
  revision.rollout = { looks: 0 };
  settle(plane);
}

/** From now on the deployment shows its present status, whatever the script had in mind. */
export function freezeRollout(record: DeploymentRecord): void {
  const revision = latestRevision(record);
  if (revision?.state === "rolling-out") revision.rollout = [record.status];
}

function isDeleted({ clock }: ControlPlane, { deletion }: DeploymentRecord): boolean {
  if (deletion === undefined) return false;
  return isGone(deletion.script, deletion.looks, clock.now() - deletion.startedAt);
}

function advance(plane: ControlPlane, record: DeploymentRecord, revision: RevisionRecord): void {
  const { clock, rules } = plane;
  const elapsed = clock.now() - revision.startedAt;
  const progress = rolloutProgress(revision.rollout, revision.looks, elapsed, rules.status.ready);
  const waiting = record.active_revision_id === null ? rules.status.starting : rules.status.ready;
  if (!progress.ended) {
    record.status = progress.status ?? waiting;
    return;
  }
  revision.updated_at = laterThan(revision.updated_at, clock);
  revision.state = progress.fails ? "failed" : "done";
  record.status = progress.fails ? waiting : rules.status.ready;
  if (!progress.fails) record.active_revision_id = revision.id;
}
