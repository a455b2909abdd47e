import type { JsonObject } from "../json";
import { timestamp, type ControlPlane } from "./control-plane";
import type { DeploymentRecord, RevisionRecord } from "./record";
import { chooseFrom, type Rollout } from "./script";

const DEFAULT_ROLLOUT: Rollout = { looks: 1 };

/** Starts the rollout of a new revision, which overtakes an earlier unfinished one. */
export function addRevision(
  plane: ControlPlane,
  record: DeploymentRecord,
  source: string,
  config: JsonObject,
): RevisionRecord {
  const { rules, clock, ids } = plane;
  for (const earlier of record.revisions) {
    if (earlier.state === "rolling-out") earlier.state = "overtaken";
  }
  const number = record.revisions.length + 1;
  const now = timestamp(clock.now());
  const { [rules.answers.commitField]: _previousCommit, ...given } = config;
  const resolved = rules.sources[source]?.resolvesCommit
    ? { ...given, [rules.answers.commitField]: ids.commit() }
    : given;
  const revision: RevisionRecord = {
    id: ids.uuid(),
    number,
    created_at: now,
    updated_at: now,
    source,
    source_revision_config: resolved,
    state: "rolling-out",
    rollout: chooseFrom(plane.settings.rollout, { name: record.name, revision: number }, DEFAULT_ROLLOUT),
    startedAt: clock.now(),
    looks: 0,
  };
  record.revisions.push(revision);
  record.source_revision_config = structuredClone(resolved);
  record.latest_revision_id = revision.id;
  return revision;
}
