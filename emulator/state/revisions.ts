import type { JsonObject } from "../json";
import { timestamp, type ControlPlane } from "./control-plane";
import type { DeploymentRecord, RevisionRecord } from "./record";
import { chooseFrom } from "./script";

/** Starts the rollout of a new revision, which overtakes an earlier unfinished one. */
export function addRevision(
  plane: ControlPlane,
  record: DeploymentRecord,
  source: string,
  config: JsonObject,
  { builds = true }: { builds?: boolean } = {},
): RevisionRecord {
  const { rules, clock, ids } = plane;
  for (const earlier of record.revisions) {
    if (earlier.state === "rolling-out") earlier.state = "overtaken";
  }
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
    state: "rolling-out",
    rollout: chooseFrom(plane.settings.rollout, { name: record.name, revision: number }, rules.pace.rollout),
    startedAt: clock.now(),
    polls: 0,
  };
  record.revisions.push(revision);
  record.source_revision_config = structuredClone(resolved);
  record.latest_revision_id = revision.id;
  return revision;
}
