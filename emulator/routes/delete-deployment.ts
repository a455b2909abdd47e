import { fill } from "../json";
import { Refusal } from "../refusal";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord } from "../state/record";
import { chooseFrom } from "../state/script";
import { settle } from "../state/settle";
import { findDeployment, refuseDying } from "./find-deployment";
import type { Handler } from "./handler";

export const deleteDeployment: Handler = (call) => {
  const { plane, query } = call;
  const record = findDeployment(call);
  const asked = (filter: string) => query.filters.some((given) => given.filter === filter && given.value);
  if (asked("force")) forget(plane, record);
  else if (record.deletion === undefined) startDeletion(plane, record);
  else if (plane.rules.deletedTwice !== "accepted") refuseDying(plane, record);
  if (asked("deleteTracingProject")) plane.tracingProjects.delete(record.name);
  settle(plane);
  return { status: 204 };
};

/** Several at once: those that are there go, the status says whether all were. */
export const deleteDeployments: Handler = ({ plane, query: { filters } }) => {
  const { value } = filters.find(({ filter }) => filter === "ids") ?? { value: [] };
  const ids = (Array.isArray(value) ? value : []).map((id) => id.toLowerCase());
  const records = plane.deployments.filter(({ id, deletion }) => deletion === undefined && ids.includes(id));
  if (records.length === 0)
    throw new Refusal(404, fill(plane.rules.texts.deploymentNotFound, { id: ids.join(", ") }));
  for (const record of records) startDeletion(plane, record);
  settle(plane);
  return { status: records.length === new Set(ids).size ? 200 : 207, body: null };
};

function startDeletion(plane: ControlPlane, record: DeploymentRecord): void {
  const subject = { name: record.name, revision: record.revisions.length };
  record.status = plane.rules.status.deleting;
  record.deletion = {
    script: chooseFrom(plane.settings.deletion, subject, plane.rules.pace.deletion),
    startedAt: plane.clock.now(),
    polls: 0,
  };
}

/** The second step: nothing is waited for. */
function forget(plane: ControlPlane, record: DeploymentRecord): void {
  if (record.deletion === undefined)
    throw new Refusal(400, fill(plane.rules.texts.notBeingDeleted, { name: record.name }));
  plane.deployments = plane.deployments.filter((other) => other !== record);
}
