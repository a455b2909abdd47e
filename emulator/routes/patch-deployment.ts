import { valueAt, type Json, type JsonObject } from "../json";
import { Refusal, refuseIfAny } from "../refusal";
import type { PatchRules, Rules } from "../rules/rules";
import { findProblems, knownPart, type ObjectShape } from "../shape";
import { deploymentResponse } from "../state/response";
import { laterThan } from "../state/control-plane";
import type { DeploymentRecord, Secret, SecretReference } from "../state/record";
import { normalize } from "../state/normalize";
import { addRevision } from "../state/revisions";
import { settle } from "../state/settle";
import { findLivingDeployment } from "./find-deployment";
import type { Call, Handler } from "./handler";
import { hasSomethingToRun, refuseAgainstSource } from "./source-rules";
import { refuseReservedNames } from "./workspace-rules";

export type Change = {
  revision_source?: string | null;
  source_config?: JsonObject | null;
  source_revision_config?: JsonObject | null;
  secrets?: Secret[] | null;
  secret_references?: SecretReference[] | null;
  display_name?: string | null;
  tracked_packages?: Json;
  route_through_gateway?: boolean | null;
};

export const patchDeployment: Handler = (call) => {
  const record = changeDeployment(call, call.plane.rules.requests.patch, (rules, change) =>
    asksForRevision(rules.patch, change),
  );
  return { status: 200, body: deploymentResponse(call.plane, record) };
};

/** Merges what is given into what is stored, and starts a revision where the change asks for one. */
export function changeDeployment(
  { plane, body: given, ...call }: Call,
  shape: ObjectShape,
  revises: (rules: Rules, change: Change) => boolean,
): DeploymentRecord {
  const { rules } = plane;
  refuseIfAny(findProblems(shape, given, ["body"], rules.unknownKeys));
  const record = findLivingDeployment({ plane, ...call });
  // The shape has just been checked: this is what it says.
  const known = structuredClone(knownPart(shape, given)) as Change;
  const body = normalize(plane.settings.normalizations, known as JsonObject) as Change;
  const merged = mergeChange(rules, record, body);
  const revisionSource = body.revision_source ?? null;
  const makesRevision =
    revises(rules, body) &&
    hasSomethingToRun(rules, revisionSource ?? record.source, {
      source_revision_config: merged.source_revision_config,
    });
  const { source_config, source_revision_config, secrets, secret_references } = body;
  refuseAgainstSource(rules, {
    source: record.source,
    revisionSource,
    merged,
    given: {
      ...(source_config ? { source_config } : {}),
      ...(source_revision_config ? { source_revision_config } : {}),
    },
  });
  refuseReservedNames(plane, secrets, secret_references);
  refuseTarball(rules, record, source_revision_config);
  if (revisionSource !== null && !makesRevision) throw new Refusal(400, rules.texts.revisionSourceAlone);

  if (plane.settings.lag > 0)
    record.behind = { shown: deploymentResponse(plane, record), responses: plane.settings.lag };
  Object.assign(record, merged, { updated_at: laterThan(record.updated_at, plane.clock) });
  if (body.display_name) record.display_name = body.display_name;
  if (typeof body.route_through_gateway === "boolean")
    record.route_through_gateway = body.route_through_gateway;
  if (makesRevision)
    addRevision(
      plane,
      record,
      revisionSource ?? record.source,
      withPackages(rules, merged.source_revision_config, body),
    );
  settle(plane);
  return record;
}

/** A source archive must be where the service said, and must have arrived. */
function refuseTarball(rules: Rules, { uploads = [] }: DeploymentRecord, given?: JsonObject | null): void {
  const path = given?.["source_tarball_path"] ?? null;
  if (path === null || !rules.needsUpload) return;
  if (!uploads.some(({ object_path, received }) => received && object_path === path))
    throw new Refusal(400, rules.texts.uploadUnknown);
}

function withPackages(
  { responses }: Rules,
  config: JsonObject,
  { tracked_packages = null }: Change,
): JsonObject {
  if (tracked_packages === null || !("tracked_packages" in responses.sourceRevisionConfig)) return config;
  return { ...config, tracked_packages };
}

/** What the deployment would be, so that nothing is changed when the rules refuse it. */
function mergeChange({ patch }: Rules, record: DeploymentRecord, body: Change) {
  return {
    source_config: mergeKeys(patch, record.source_config, body.source_config),
    source_revision_config: mergeKeys(patch, record.source_revision_config, body.source_revision_config),
    secrets: replaceList(patch.null, patch.emptySecrets, record.secrets, body.secrets) ?? [],
    secret_references: replaceList(
      patch.null,
      patch.emptySecretReferences,
      record.secret_references,
      body.secret_references,
    ),
  };
}

function mergeKeys(rules: PatchRules, stored: JsonObject, given: JsonObject | null | undefined): JsonObject {
  const merged = new Map(Object.entries(stored));
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value !== null) merged.set(key, value);
    else if (rules.null === "clears") merged.delete(key);
  }
  return Object.fromEntries(merged);
}

function replaceList<T>(
  onNull: "clears" | "keeps",
  onEmpty: "clears" | "keeps",
  stored: T[] | null,
  given: T[] | null | undefined,
): T[] | null {
  if (given === undefined) return stored;
  if (given === null) return onNull === "clears" ? null : stored;
  return given.length === 0 && onEmpty === "keeps" ? stored : given;
}

function asksForRevision(rules: PatchRules, body: Change): boolean {
  return rules.revisionFrom.some(({ path, when }) => {
    const value = valueAt(body as JsonObject, path);
    if (value === undefined) return false;
    if (when === "notEmpty" && Array.isArray(value) && value.length === 0) return false;
    return when === "present" || value !== null;
  });
}
