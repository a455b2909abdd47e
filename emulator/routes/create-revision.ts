import { fill, type Json } from "../json";
import { Refusal } from "../refusal";
import { deploymentResponse, revisionResponse } from "../state/response";
import { laterThan, type ControlPlane } from "../state/control-plane";
import { latestRevision, type DeploymentRecord, type RevisionRecord } from "../state/record";
import { addRevision } from "../state/revisions";
import { endRollout, settle } from "../state/settle";
import { findLivingDeployment, findRevision } from "./find-deployment";
import type { Handler } from "./handler";
import { changeDeployment } from "./patch-deployment";

/** Always a revision; what the request leaves out is carried over. */
export const createRevision: Handler = (call) => {
  const { rules } = call.plane;
  const record = changeDeployment(call, rules.requests.revise ?? rules.requests.patch, () => true);
  return { status: 201, body: latestResponse(call.plane, record) };
};

function latestResponse(plane: ControlPlane, record: DeploymentRecord): Json {
  const latest = latestRevision(record);
  return latest === undefined ? null : revisionResponse(plane, latest);
}

/** The same once more, as another revision; nothing is built. */
export const redeployRevision: Handler = (call) => {
  const { plane } = call;
  const record = findLivingDeployment(call);
  const revision = findRevision(call, record);
  refuseRedeploy(plane, record, revision);
  addRevision(plane, record, revision.source, revision.source_revision_config, { builds: false });
  record.updated_at = laterThan(record.updated_at, plane.clock);
  settle(plane);
  return { status: 200, body: deploymentResponse(plane, record) };
};

/** Ends a revision that has not ended by itself; what waits behind it goes on. */
export const interruptRevision: Handler = (call) => {
  const { plane } = call;
  const record = findLivingDeployment(call);
  const revision = findRevision(call, record);
  if (revision.state !== "rolling-out" && revision.state !== "queued")
    throw new Refusal(409, fill(plane.rules.texts.interruptionRefused, { id: revision.id }));
  endRollout(plane, record, revision, { state: "interrupted" });
  settle(plane);
  return { status: 202 };
};

function refuseRedeploy({ rules }: ControlPlane, record: DeploymentRecord, revision: RevisionRecord): void {
  if (rules.redeploys !== "deployed-latest") return;
  if (revision !== latestRevision(record) || revision.state !== "done")
    throw new Refusal(400, fill(rules.texts.redeployRefused, { id: revision.id }));
}
