import { valueAt, type JsonObject } from "../json-values";
import { Refusal } from "../refusal";
import { asksForRevision, mergeChange, type Change } from "../rules/change";
import type { Rules } from "../rules/dialect-rules";
import { refuseTier } from "../rules/tiers";
import { canRun, refuseAgainstSource } from "../rules/source-rules";
import { refuseReservedNames } from "../rules/workspace-rules";
import { accept } from "../json-shape";
import { laterThan } from "../state/service-clock";
import type { DeploymentRecord } from "../state/deployment-record";
import { addRevision, settle } from "../state/revision-rollout";
import { findLivingDeployment, type Handler } from "./call";
import { normalize } from "./normalize";
import { deploymentResponse, sourceConfigResponse, tiersResponse } from "./responses";

/** Merges the change into the stored deployment, and creates a revision if the change asks for one. */
export const patchDeployment: Handler = (call) => {
  const { plane } = call;
  const { rules, settings } = plane;
  const accepted = accept<Change>(rules.requests.patch, call.body);
  const record = findLivingDeployment(call);
  const change = normalize(settings.normalizations, accepted);
  const merged = mergeChange(rules.patch, record, change);
  const { revision_source, deployment_tier = null, tracked_packages = null } = change;
  const source = revision_source ?? record.source;
  const createsRevision =
    asksForRevision(rules.patch, change) && canRun(rules, source, merged.source_revision_config);

  refuseAgainstSource(rules, {
    source: record.source,
    revisionSource: revision_source,
    merged,
    given: change,
  });
  refuseReservedNames(rules, plane.settings.cloud, change.secrets, change.secret_references);
  refuseTarball(rules, record, change);
  const deploymentType = String(sourceConfigResponse(plane, record)["deployment_type"]);
  const sized = { source: record.source, deploymentType, hasRun: record.active_revision_id !== null };
  if (deployment_tier !== null) refuseTier(rules, sized, deployment_tier);
  if (revision_source && !createsRevision) throw new Refusal(400, rules.texts.revisionSourceAlone);

  if (settings.lag > 0) record.behind = { shown: deploymentResponse(plane, record), responses: settings.lag };
  Object.assign(record, merged, { updated_at: laterThan(record.updated_at, plane.clock) });
  applySettings(record, change);
  // The size that it has already makes no revision.
  const isResized =
    deployment_tier !== null &&
    deployment_tier !== tiersResponse(rules, record, sourceConfigResponse(plane, record))["compute_tier"];
  if (deployment_tier !== null)
    record.tiers = { compute_tier: deployment_tier, database_tier: deployment_tier };
  const packages: JsonObject = tracked_packages === null ? {} : { tracked_packages };
  if (createsRevision || isResized)
    addRevision(plane, record, source, { ...merged.source_revision_config, ...packages });
  settle(plane);
  return { status: 200, body: deploymentResponse(plane, record) };
};

/** Applies what creates no revision. Null changes nothing. */
function applySettings(record: DeploymentRecord, change: Change): void {
  const { display_name, route_through_gateway = null, tracked_repo_ref, source_revision_config } = change;
  if (display_name) record.display_name = display_name;
  if (route_through_gateway !== null) record.route_through_gateway = route_through_gateway;
  // A revision from another ref is tracked from then on.
  if (source_revision_config?.["repo_ref"]) delete record.tracked_repo_ref;
  if (tracked_repo_ref) record.tracked_repo_ref = tracked_repo_ref;
}

/** A source archive must be at a path that the service issued, and must have arrived. */
function refuseTarball({ uploads, texts }: Rules, record: DeploymentRecord, change: Change): void {
  const path = valueAt(change, "source_revision_config.source_tarball_path");
  if (path === null || uploads === undefined) return;
  const upload = record.uploads?.find(({ object_path }) => object_path === path);
  if (!upload?.received) throw new Refusal(400, texts.uploadUnknown);
}
