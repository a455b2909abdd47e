import type { Json, JsonObject } from "../json-values";
import type { Secret, SecretReference } from "../rules/change";
import { statuses } from "../rules/dialect-rules";
import { canRun, refuseAgainstSource } from "../rules/source-rules";
import {
  refuseListener,
  refuseRepository,
  refuseReservedNames,
  refuseTakenName,
} from "../rules/workspace-rules";
import { accept } from "../json-shape";
import { timestamp } from "../state/service-clock";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord } from "../state/deployment-record";
import { addRevision, settle } from "../state/revision-rollout";
import type { Handler } from "./call";
import { normalize } from "./normalize";
import { deploymentResponse } from "./responses";

interface CreateBody {
  name: string;
  source: string;
  source_config: JsonObject;
  source_revision_config: JsonObject;
  secrets: Secret[];
  secret_references?: SecretReference[] | null;
  route_through_gateway?: boolean | null;
  shareable?: boolean | null;
}

export const createDeployment: Handler = ({ plane, body }) => {
  const record = addDeployment(plane, body);
  const response = deploymentResponse(plane, record);
  // This response counts as a poll for the deployment's own resources, which are ready before the first revision.
  if (record.database !== undefined) record.database.polls += 1;
  return { status: 201, body: response };
};

export function addDeployment(plane: ControlPlane, given: Json): DeploymentRecord {
  const { rules, clock, ids, tracingProjects } = plane;
  const accepted = accept<CreateBody>(rules.requests.create, given);
  const body = normalize(plane.settings.normalizations, accepted);
  refuse(plane, body);

  plane.sequence += 1;
  const now = timestamp(clock.now());
  const revisionConfig = withoutNulls(body.source_revision_config);
  const { route_through_gateway = null, shareable = null } = body;
  const { name, source, secrets, secret_references = null } = body;
  const record: DeploymentRecord = {
    ...{ id: ids.uuid(), sequence: plane.sequence, name, source, tenant_id: plane.tenantId },
    source_config: withoutNulls(body.source_config),
    source_revision_config: revisionConfig,
    ...{ secrets, secret_references, created_at: now, updated_at: now, status: statuses.starting },
    ...{ latest_revision_id: null, active_revision_id: null, image_version: "1.0.0", revisions: [] },
    ...{ remote_reconciled: true, tag_value_ids: [] },
    ...(route_through_gateway !== null && { route_through_gateway }),
    ...(shareable !== null && { shareable }),
    ...(rules.readyAfter !== undefined && { database: { polls: 0 } }),
  };
  if (canRun(rules, source, revisionConfig)) addRevision(plane, record, source, revisionConfig);
  plane.deployments.push(record);
  if (rules.tracingProjects) tracingProjects.add(name);
  settle(plane);
  return record;
}

function refuse(plane: ControlPlane, body: CreateBody): void {
  const { rules, deployments, listeners, repositories, tracingProjects } = plane;
  const { name, source, source_config } = body;
  const parts = { ...body, secret_references: body.secret_references ?? null };
  refuseAgainstSource(rules, { source, merged: parts, given: parts, creates: true });
  refuseListener(rules, listeners, source, source_config);
  refuseReservedNames(rules, plane.settings.cloud, body.secrets, body.secret_references);
  const integration = String(source_config["integration_id"] ?? "").toLowerCase();
  const listed = repositories.codehost[integration] ?? repositories.service[integration];
  refuseRepository(rules, listed, source_config);
  const holder = deployments.find((record) => record.name === name);
  refuseTakenName(rules, name, holder && { isBeingDeleted: holder.deletion !== undefined }, tracingProjects);
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
