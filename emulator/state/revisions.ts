import type { JsonObject } from "../json";
import { timestamp, type ControlPlane } from "./control-plane";
import { runningRevision, type DeploymentRecord, type RevisionRecord } from "./record";
import { chooseFrom } from "./script";

/** Starts the rollout of a new revision, which overtakes an earlier unfinished one, or waits behind one that is stuck. */
export function addRevision(
  plane: ControlPlane,
  record: DeploymentRecord,
  source: string,
  config: JsonObject,
  { builds = true }: { builds?: boolean } = {},
): RevisionRecord {
  const { rules, clock, ids } = plane;
  const running = runningRevision(record);
  const isQueued = running?.rollout === "stuck";
  if (running !== undefined && !isQueued) running.state = "overtaken";
  const number = record.revisions.length + 1;
  const now = timestamp(clock.now());
  const { [rules.responses.commitField]: previousCommit = null, ...given } = config;
  const resolved = rules.sources[source]?.resolvesCommit
    ? { ...given, [rules.responses.commitField]: builds ? ids.commit() : previousCommit }
    : given;
  const revision: RevisionRecord = {
    id: ids.uuid(),
    number,
    created_at: now,
    updated_at: now,
    source,
    source_revision_config: resolved,
    state: isQueued ? "queued" : "rolling-out",
    rollout: chooseFrom(plane.settings.rollout, { name: record.name, revision: number }, rules.pace.rollout),
    startedAt: clock.now(),
    polls: 0,
  };
  record.revisions.push(revision);
  record.source_revision_config = structuredClone(resolved);
  record.latest_revision_id = revision.id;
  return revision;
}

/** The newest revision of a queue is rolled out once nothing is before it; those in between are overtaken. */
export function releaseQueue({ clock }: ControlPlane, record: DeploymentRecord): void {
  if (runningRevision(record) !== undefined) return;
  const queued = record.revisions.filter(({ state }) => state === "queued");
  const newest = queued.pop();
  for (const revision of queued) revision.state = "overtaken";
  if (newest !== undefined) Object.assign(newest, { state: "rolling-out", startedAt: clock.now() });
}
