import { Refusal } from "../refusal";
import type { TierRules } from "../rules/dialect-rules";
import { choosesTier, mergeTiers, refuseTiers, type TierChange } from "../rules/tiers";
import { accept } from "../json-shape";
import { laterThan } from "../state/service-clock";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord } from "../state/deployment-record";
import { addRevision, settle } from "../state/revision-rollout";
import { findLivingDeployment, type Handler } from "./call";
import { deploymentResponse, sourceConfigResponse } from "./responses";

/** A new size rolls out as a new revision of what runs already. */
const patchTiers =
  (endpoint: keyof TierRules["requests"]): Handler =>
  (call) => {
    const { plane } = call;
    const { rules, clock } = plane;
    const change = accept<TierChange>(rules.tiers!.requests[endpoint], call.body, rules.unknownKeys);
    const record = findLivingDeployment(call);
    const problem = { type: "value_error", loc: ["body"], msg: rules.texts.noTier, input: call.body };
    if (!choosesTier(change)) throw new Refusal(422, [problem]);
    refuseTiersOf(plane, record, change);
    record.tiers = mergeTiers(record.tiers ?? {}, change);
    record.updated_at = laterThan(record.updated_at, clock);
    addRevision(plane, record, record.source, record.source_revision_config);
    settle(plane);
    return { status: 200, body: deploymentResponse(plane, record) };
  };

export const patchDeploymentTier = patchTiers("deployment");
export const patchResourceTiers = patchTiers("resources");

export function refuseTiersOf(plane: ControlPlane, record: DeploymentRecord, change: TierChange): void {
  const deploymentType = String(sourceConfigResponse(plane, record)["deployment_type"]);
  const hasRun = record.active_revision_id !== null;
  refuseTiers(plane.rules, { source: record.source, deploymentType, hasRun }, change);
}
