import { fill, isObject, mapMembers, type Json, type JsonObject } from "../json-values";
import type { Secret } from "../rules/change";
import { revisionStatuses, type Rules } from "../rules/dialect-rules";
import { hasTiers } from "../rules/tiers";
import type { ControlPlane, ShownSecrets } from "../state/control-plane";
import { sha256, uuidOf, type Ids } from "../state/ids";
import type { DeploymentRecord, RevisionRecord } from "../state/deployment-record";

/** The full Deployment. What was never given is null, or the service's default. */
export function deploymentResponse(plane: ControlPlane, record: DeploymentRecord): JsonObject {
  const { rules, settings, ids } = plane;
  const outdated = outdatedResponse(record);
  if (outdated !== undefined) return outdated;
  const { id, name, source, tenant_id, created_at, updated_at, status, image_version } = record;
  const { latest_revision_id, active_revision_id, source_revision_config } = record;
  const source_config = sourceConfigResponse(plane, record);
  return {
    ...laterKeys(rules, record, source_config),
    ...tiersResponse(rules, record, source_config),
    ...{ id, name, source, source_config },
    source_revision_config: withDefaults(rules.responses.sourceRevisionConfig, source_revision_config),
    secrets: record.secrets.map((secret) => shownSecret[settings.secrets](secret, ids)),
    secret_references: structuredClone(record.secret_references),
    ...{ tenant_id, created_at, updated_at, status },
    ...{ latest_revision_id, active_revision_id, image_version },
  };
}

function outdatedResponse(record: DeploymentRecord): JsonObject | undefined {
  const { behind } = record;
  if (behind === undefined) return undefined;
  behind.responses -= 1;
  if (behind.responses <= 0) delete record.behind;
  return structuredClone(behind.shown);
}

const shownSecret: Readonly<Record<ShownSecrets, (secret: Secret, ids: Ids) => JsonObject>> = {
  clear: (secret) => ({ ...secret }),
  masked: ({ name }) => ({ name, value: "***" }),
  null: ({ name }) => ({ name, value: null }),
  omitted: ({ name }) => ({ name }),
  word: ({ name }) => ({ name, value: "VALUE_WITHHELD" }),
  tail: ({ name, value }) => ({ name, value: `${value.slice(0, 3)}...${value.slice(-4)}` }),
  chance: ({ name }, ids) => ({ name, value: ids.uuid() }),
};

/** Keys that later versions of the service added, with their defaults. */
function laterKeys(
  { responses, tracingProjects }: Rules,
  record: DeploymentRecord,
  sourceConfig: JsonObject,
): JsonObject {
  const { later, generatedUrlOf = {} } = responses;
  if (later === undefined) return {};
  const {
    display_name = null,
    route_through_gateway = false,
    shareable = false,
    is_preview = false,
    is_managed_deep_agent = false,
  } = record;
  const tracer_session_id = tracingProjects ? uuidOf(`tracing project of ${record.id}`) : null;
  const url = Object.hasOwn(generatedUrlOf, record.source) ? null : (sourceConfig["custom_url"] ?? null);
  const owner = { is_preview, is_managed_deep_agent };
  return { ...later, display_name, route_through_gateway, shareable, ...owner, tracer_session_id, url };
}

/** Without a choice, the smallest of the type's family; the parts fall back to the deployment's tier, which is that of compute. */
export function tiersResponse(rules: Rules, record: DeploymentRecord, sourceConfig: JsonObject): JsonObject {
  if (rules.tiers === undefined) return {};
  const isSized = hasTiers(rules, record.source);
  const family = isSized ? rules.tiers.families[String(sourceConfig["deployment_type"])] : undefined;
  const usual = family === undefined ? null : `${family}_S`;
  const { compute_tier = usual, database_tier = compute_tier } = record.tiers ?? {};
  return { deployment_tier: compute_tier, compute_tier, database_tier };
}

export function sourceConfigResponse(plane: ControlPlane, record: DeploymentRecord): JsonObject {
  const { sourceConfig, nestedDefaults, alwaysNested, tenths, generatedUrl, generatedUrlOf } =
    plane.rules.responses;
  const response = withDefaults(sourceConfig, record.source_config);
  for (const [key, defaults] of Object.entries(nestedDefaults)) {
    const stored = response[key];
    if (isObject(stored)) response[key] = roundToTenths(withDefaults(defaults, stored), tenths);
    else if (alwaysNested.includes(key)) response[key] = structuredClone(defaults);
  }
  if ("repo_branch" in sourceConfig)
    response["repo_branch"] = record.tracked_repo_ref ?? record.source_revision_config["repo_ref"] ?? null;
  // The address exists once the first rollout has finished.
  if (response["custom_url"] === null && record.active_revision_id !== null) {
    const usual = generatedUrlOf?.[record.source] ?? generatedUrl;
    const address = plane.settings.apps ? `${plane.appsAt}{name}` : usual;
    response["custom_url"] = fill(address, { name: labelOf(record), hash: sha256(record.id).slice(0, 8) });
  }
  return response;
}

/** A deployment's name as part of an address. */
export function labelOf({ name }: DeploymentRecord): string {
  return name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
}

export function revisionResponse(rules: Rules, revision: RevisionRecord): JsonObject {
  const { id, created_at, updated_at, source, source_revision_config, state, rollout } = revision;
  const isExplained = state === "failed" && typeof rollout === "object" && "reason" in rollout;
  return {
    ...{ id, created_at, updated_at, source, status: revisionStatus(rules, revision) },
    source_revision_config: withDefaults(rules.responses.sourceRevisionConfig, source_revision_config),
    // Not every version of the service says why a revision failed.
    ...(isExplained && rollout.reason !== undefined && { status_message: rollout.reason }),
  };
}

export function revisionStatus({ sources }: Rules, revision: RevisionRecord): string {
  const { state, failure, rollout, source, polls } = revision;
  if (state !== "rolling-out") return failure ?? revisionStatuses[state];
  const { steps, stepsWithoutBuild, done } = revisionStatuses;
  const scripted = typeof rollout === "object" && "revision" in rollout ? rollout.revision : undefined;
  const shown = scripted ?? (sources[source]?.skipsBuild ? stepsWithoutBuild : steps);
  return shown[Math.min(polls, shown.length - 1)] ?? done;
}

function roundToTenths(object: JsonObject, keys: readonly string[] = []): JsonObject {
  const round = (value: Json, key: string) =>
    keys.includes(key) && typeof value === "number" ? Math.round(value * 10) / 10 : value;
  return mapMembers(object, round);
}

function withDefaults(defaults: JsonObject, stored: JsonObject): JsonObject {
  const given = Object.entries(stored).filter(([, value]) => value !== null);
  return structuredClone({ ...defaults, ...Object.fromEntries(given) });
}
