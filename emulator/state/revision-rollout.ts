import type { JsonObject } from "../json-values";
import { statuses, type Rules } from "../rules/dialect-rules";
import { laterThan, timestamp } from "./service-clock";
import type { ControlPlane } from "./control-plane";
import { runningRevision, type DeploymentRecord, type RevisionRecord } from "./deployment-record";
import { chooseFrom, deletionStage, rolloutProgress, usualRollout } from "./script";
import type { Ending, Failing } from "./script";

/** Starts the rollout of a new revision. It overtakes an unfinished one, or is queued behind one that is stuck. */
export function addRevision(
  plane: ControlPlane,
  record: DeploymentRecord,
  source: string,
  config: JsonObject,
): void {
  const { rules, clock, ids, settings } = plane;
  const running = runningRevision(record);
  const isQueued = running?.rollout === "stuck";
  if (running !== undefined && !isQueued) running.state = "overtaken";
  const number = record.revisions.length + 1;
  const { repo_commit_sha: _previous, ...given } = config;
  const resolved = rules.sources[source]?.resolvesCommit
    ? { ...given, repo_commit_sha: ids.commit() }
    : given;
  const now = timestamp(clock.now());
  const revision: RevisionRecord = {
    ...{ id: ids.uuid(), number, created_at: now, updated_at: now, source, source_revision_config: resolved },
    state: isQueued ? "queued" : "rolling-out",
    rollout: chooseFrom(settings.rollout, { name: record.name, revision: number }, usualRollout),
    ...{ startedAt: clock.now(), polls: 0 },
  };
  record.revisions.push(revision);
  record.source_revision_config = structuredClone(resolved);
  record.latest_revision_id = revision.id;
}

/** Advances every deployment to what the clock and the polls so far imply. */
export function settle(plane: ControlPlane): void {
  plane.deployments = plane.deployments.filter((record) => !isGone(plane, record));
  for (const record of plane.deployments) {
    finishDatabase(plane.rules, record);
    const revision = runningRevision(record);
    if (record.deletion === undefined && revision !== undefined) advance(plane, record, revision);
  }
}

/** Counts a response that has shown these deployments. */
export function countPoll(plane: ControlPlane, shown: readonly DeploymentRecord[]): void {
  for (const record of shown) {
    const revision = runningRevision(record);
    if (record.deletion !== undefined) record.deletion.polls += 1;
    else if (revision !== undefined) revision.polls += 1;
    if (record.database !== undefined) record.database.polls += 1;
  }
  settle(plane);
}

/** Ends the running rollout now. It succeeds unless `ending` says that it fails. */
export function finishRollout(plane: ControlPlane, record: DeploymentRecord, ending: Failing = {}): void {
  setRollout(record, { polls: 0, ...ending });
  settle(plane);
}

/** Replaces the script of the running rollout, if there is one. */
export function setRollout(record: DeploymentRecord, rollout: RevisionRecord["rollout"]): void {
  const revision = runningRevision(record);
  if (revision !== undefined) revision.rollout = rollout;
}

function isGone({ clock, rules }: ControlPlane, record: DeploymentRecord): boolean {
  const { deletion } = record;
  if (deletion === undefined) return false;
  const stage = deletionStage(deletion.script, deletion.polls, clock.now() - deletion.startedAt);
  if (stage === "final") record.status = rules.finallyDeleting ?? statuses.deleting;
  return stage === "deleted";
}

function finishDatabase({ readyAfter = 0 }: Rules, record: DeploymentRecord): void {
  if (record.database === undefined || record.database.polls < readyAfter) return;
  delete record.database;
  if (record.status === statuses.starting) record.status = statuses.ready;
}

function advance(plane: ControlPlane, record: DeploymentRecord, revision: RevisionRecord): void {
  const { clock, rules } = plane;
  const elapsed = clock.now() - revision.startedAt;
  const progress = rolloutProgress(revision.rollout, revision.polls, elapsed);
  if ("ending" in progress) endRollout(plane, record, revision, progress.ending);
  else record.status = progress.status ?? restingStatus(rules, record);
}

export function endRollout(
  plane: ControlPlane,
  record: DeploymentRecord,
  revision: RevisionRecord,
  ending: Ending,
): void {
  revision.updated_at = laterThan(revision.updated_at, plane.clock);
  revision.state = ending.state;
  if (ending.state === "failed" && ending.status !== undefined) revision.failure = ending.status;
  if (ending.state === "done") {
    delete record.database;
    record.active_revision_id = revision.id;
  }
  record.status = restingStatus(plane.rules, record);
  releaseQueue(plane, record);
}

/** The status of a deployment whose rollout sets none. */
function restingStatus({ readyAfter }: Rules, record: DeploymentRecord): string {
  const isReady =
    readyAfter === undefined ? record.active_revision_id !== null : record.database === undefined;
  return isReady ? statuses.ready : statuses.starting;
}

/** Once no revision is running, the newest queued one starts; older queued ones are overtaken. */
function releaseQueue({ clock }: ControlPlane, record: DeploymentRecord): void {
  if (runningRevision(record) !== undefined) return;
  const queued = record.revisions.filter(({ state }) => state === "queued");
  const newest = queued.pop();
  for (const revision of queued) revision.state = "overtaken";
  if (newest !== undefined) Object.assign(newest, { state: "rolling-out", startedAt: clock.now() });
}
