import type { Json, JsonObject } from "../json";
import { refuseIfAny } from "../refusal";
import { findProblems, knownPart } from "../shape";
import { deploymentResponse } from "../state/response";
import { timestamp, type ControlPlane } from "../state/control-plane";
import type { DeploymentRecord, Secret, SecretReference } from "../state/record";
import { normalize } from "../state/normalize";
import { addRevision } from "../state/revisions";
import { chooseFrom } from "../state/script";
import { settle } from "../state/settle";
import type { Handler } from "./handler";
import { hasSomethingToRun, refuseAgainstSource } from "./source-rules";
import { refuseListener, refuseRepository, refuseReservedNames, refuseTakenName } from "./workspace-rules";

type CreateBody = {
  name: string;
  source: string;
  source_config: JsonObject;
  source_revision_config: JsonObject;
  secrets: Secret[];
  secret_references?: SecretReference[] | null;
  route_through_gateway?: boolean | null;
};

export const createDeployment: Handler = ({ plane, body }) => {
  const record = addDeployment(plane, body);
  const response = deploymentResponse(plane, record);
  // For the deployment's own parts this response is a poll: they stand sooner than the first revision.
  if (record.database !== undefined) record.database.polls += 1;
  return { status: 201, body: response };
};

export function addDeployment(plane: ControlPlane, given: Json): DeploymentRecord {
  const { rules, clock, ids } = plane;
  refuseIfAny(findProblems(rules.requests.create, given, ["body"], rules.unknownKeys));
  // The shape has just been checked: this is what it says.
  const known = structuredClone(knownPart(rules.requests.create, given)) as CreateBody;
  const body = normalize(plane.settings.normalizations, known);
  const references = body.secret_references ?? null;
  const parts = { ...body, secret_references: references };
  refuseAgainstSource(rules, { source: body.source, merged: parts, given: parts, creates: true });
  refuseListener(plane, body.source, body.source_config);
  refuseReservedNames(plane, body.secrets, references);
  refuseRepository(plane, body.source_config);
  refuseTakenName(plane, body.name);

  plane.sequence += 1;
  const now = timestamp(clock.now());
  const record: DeploymentRecord = {
    id: ids.uuid(),
    sequence: plane.sequence,
    name: body.name,
    source: body.source,
    source_config: withoutNulls(body.source_config),
    source_revision_config: {},
    secrets: body.secrets,
    secret_references: references,
    tenant_id: plane.tenantId,
    created_at: now,
    updated_at: now,
    status: rules.status.starting,
    latest_revision_id: null,
    active_revision_id: null,
    image_version: rules.responses.imageVersion,
    revisions: [],
    remote_reconciled: true,
    tag_value_ids: [],
    ...(typeof body.route_through_gateway === "boolean" && {
      route_through_gateway: body.route_through_gateway,
    }),
  };
  if (rules.status.readyWithoutRevision) {
    const script = chooseFrom(plane.settings.database, { name: body.name, revision: 1 }, rules.pace.database);
    record.database = { script, startedAt: clock.now(), polls: 0 };
  }
  const config = withoutNulls(body.source_revision_config);
  if (hasSomethingToRun(rules, body.source, { source_revision_config: config }))
    addRevision(plane, record, body.source, config);
  else record.source_revision_config = config;
  plane.deployments.push(record);
  if (rules.tracingProjects) plane.tracingProjects.add(body.name);
  settle(plane);
  return record;
}

export function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
