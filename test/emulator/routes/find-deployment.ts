import { fill } from "../json";
import { Refusal } from "../refusal";
import type { DeploymentRecord } from "../state/record";
import type { Call } from "./handler";

export function findDeployment({ plane, params }: Call): DeploymentRecord {
  const id = params["deployment_id"] ?? "";
  const record = plane.deployments.find((candidate) => candidate.id === id.toLowerCase());
  if (record === undefined) throw new Refusal(404, fill(plane.rules.texts.deploymentNotFound, { id }));
  return record;
}

/** A deployment that may still be changed. */
export function findLivingDeployment(call: Call): DeploymentRecord {
  const record = findDeployment(call);
  if (record.deletion !== undefined)
    throw new Refusal(409, fill(call.plane.rules.texts.beingDeleted, { name: record.name }));
  return record;
}
