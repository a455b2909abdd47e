import { fill } from "../json";
import { Refusal } from "../refusal";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord, RevisionRecord } from "../state/record";
import type { Call } from "./handler";

export function findDeployment({ plane, params }: Pick<Call, "plane" | "params">): DeploymentRecord {
  const id = params["deployment_id"] ?? "";
  const record = plane.deployments.find((candidate) => candidate.id === id.toLowerCase());
  if (record === undefined) throw new Refusal(404, fill(plane.rules.texts.deploymentNotFound, { id }));
  return record;
}

/** A deployment that may still be changed. */
export function findLivingDeployment(call: Pick<Call, "plane" | "params">): DeploymentRecord {
  const record = findDeployment(call);
  refuseDying(call.plane, record);
  return record;
}

export function refuseDying({ rules }: ControlPlane, { deletion, name }: DeploymentRecord): void {
  if (deletion !== undefined) throw new Refusal(409, fill(rules.texts.beingDeleted, { name }));
}

export function findRevision({ plane, params }: Call, record: DeploymentRecord): RevisionRecord {
  const id = params["revision_id"] ?? "";
  const revision = record.revisions.find((candidate) => candidate.id === id.toLowerCase());
  if (revision === undefined) throw new Refusal(404, fill(plane.rules.texts.revisionNotFound, { id }));
  return revision;
}
