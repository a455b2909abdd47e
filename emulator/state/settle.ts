import type { Rules } from "../rules/rules";
import { laterThan, type ControlPlane } from "./control-plane";
import { runningRevision, type DeploymentRecord, type RevisionRecord } from "./record";
import { releaseQueue } from "./revisions";
import { deletionStage, isOver, rolloutProgress, type Ending, type Failing } from "./script";

/** Brings every deployment to where the clock and the polls so far have taken it. */
export function settle(plane: ControlPlane): void {
  plane.deployments = plane.deployments.filter((record) => !isGone(plane, record));
  for (const record of plane.deployments) {
    awaitDatabase(plane, record);
    const revision = runningRevision(record);
    if (record.deletion === undefined && revision !== undefined) advance(plane, record, revision);
  }
}

/** Counts the responses that contained these deployments. Call it after the response was made. */
export function countPoll(plane: ControlPlane, shown: readonly DeploymentRecord[]): void {
  for (const record of shown) {
    const revision = runningRevision(record);
    if (record.deletion !== undefined) record.deletion.polls += 1;
    else if (revision !== undefined) revision.polls += 1;
    if (record.database !== undefined) record.database.polls += 1;
  }
  settle(plane);
}

/** Ends the running rollout now: well, unless told otherwise. */
export function finishRollout(plane: ControlPlane, record: DeploymentRecord, ending: Failing = {}): void {
  const revision = runningRevision(record);
  if (revision === undefined) return;
  revision.rollout = { polls: 0, ...ending };
  settle(plane);
}

/** From now on the running rollout goes no further, until it is told to finish; one that is stuck holds later ones up. */
export function holdRollout(record: DeploymentRecord, how: "never" | "stuck" = "never"): void {
  const revision = runningRevision(record);
  if (revision !== undefined) revision.rollout = how;
}

/** From now on the deployment shows its present status, whatever the script had in mind. */
export function freezeRollout(record: DeploymentRecord): void {
  const revision = runningRevision(record);
  if (revision !== undefined) revision.rollout = [record.status];
}

function isGone({ clock, rules }: ControlPlane, record: DeploymentRecord): boolean {
  const { deletion } = record;
  if (deletion === undefined) return false;
  const stage = deletionStage(deletion.script, deletion.polls, clock.now() - deletion.startedAt);
  if (stage === "final") record.status = rules.status.finallyDeleting ?? rules.status.deleting;
  return stage === "deleted";
}

function awaitDatabase({ clock, rules }: ControlPlane, record: DeploymentRecord): void {
  const { database } = record;
  if (database === undefined || !isOver(database.script, database.polls, clock.now() - database.startedAt))
    return;
  delete record.database;
  if (record.status === rules.status.starting) record.status = rules.status.ready;
}

function advance(plane: ControlPlane, record: DeploymentRecord, revision: RevisionRecord): void {
  const { clock, rules } = plane;
  const elapsed = clock.now() - revision.startedAt;
  const words = { ...rules.revisionStatus, ready: rules.status.ready };
  const progress = rolloutProgress(revision.rollout, revision.polls, elapsed, words);
  if (!("ending" in progress)) {
    record.status = progress.status ?? waitingStatus(rules, record);
    return;
  }
  endRollout(plane, record, revision, progress.ending);
}

export function endRollout(
  plane: ControlPlane,
  record: DeploymentRecord,
  revision: RevisionRecord,
  ending: Ending,
): void {
  const { clock, rules } = plane;
  revision.updated_at = laterThan(revision.updated_at, clock);
  revision.state = ending.state;
  if (ending.state === "failed" && ending.status !== undefined) revision.failure = ending.status;
  if (ending.state === "done") {
    delete record.database;
    record.active_revision_id = revision.id;
  }
  record.status = waitingStatus(rules, record);
  releaseQueue(plane, record);
}

/** Of a deployment whose latest revision has nothing to say about its status. */
function waitingStatus({ status }: Rules, record: DeploymentRecord): string {
  const stands = status.readyWithoutRevision
    ? record.database === undefined
    : record.active_revision_id !== null;
  return stands ? status.ready : status.starting;
}
