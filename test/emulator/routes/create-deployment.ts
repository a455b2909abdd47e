import { fill, type Json, type JsonObject } from "../json";
import { Refusal, refuseIfAny } from "../refusal";
import { findProblems, knownPart } from "../shape";
import { deploymentAnswer } from "../state/answer";
import { timestamp, type ControlPlane } from "../state/control-plane";
import type { DeploymentRecord, Secret, SecretReference } from "../state/record";
import { addRevision } from "../state/revisions";
import { settle } from "../state/settle";
import type { Handler } from "./handler";
import { refuseAgainstSource } from "./source-rules";

type CreateBody = {
  name: string;
  source: string;
  source_config: JsonObject;
  source_revision_config: JsonObject;
  secrets: Secret[];
  secret_references?: SecretReference[] | null;
};

export const createDeployment: Handler = ({ plane, body }) => {
  const record = addDeployment(plane, body);
  return { status: 201, body: deploymentAnswer(plane, record) };
};

export function addDeployment(plane: ControlPlane, given: Json): DeploymentRecord {
  const { rules, clock, ids } = plane;
  refuseIfAny(findProblems(rules.requests.create, given, ["body"], rules.unknownKeys));
  // The shape has just been checked: this is what it says.
  const body = structuredClone(knownPart(rules.requests.create, given)) as CreateBody;
  const references = body.secret_references ?? null;
  refuseAgainstSource(rules, { ...body, secret_references: references });
  if (rules.uniqueNames && plane.deployments.some(({ name }) => name === body.name))
    throw new Refusal(409, fill(rules.texts.nameTaken, { name: body.name }));

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
    image_version: rules.answers.imageVersion,
    revisions: [],
    remote_reconciled: true,
    tag_value_ids: [],
  };
  addRevision(plane, record, body.source, withoutNulls(body.source_revision_config));
  plane.deployments.push(record);
  settle(plane);
  return record;
}

export function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
