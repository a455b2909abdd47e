import { fill, isObject, type Json, type JsonObject } from "../json";
import type { Rules } from "../rules/rules";
import type { ControlPlane, ShownSecrets } from "./control-plane";
import { sha256, type Ids } from "./ids";
import { latestRevision, type DeploymentRecord, type RevisionRecord, type Secret } from "./record";

/** The full Deployment: what was never given is there as null, or as the service's default. */
export function deploymentResponse(plane: ControlPlane, record: DeploymentRecord): JsonObject {
  const { rules, settings } = plane;
  const old = staleResponse(record);
  if (old !== undefined) return old;
  const latest = latestRevision(record);
  return {
    ...laterResponse(plane, record),
    id: record.id,
    name: record.name,
    source: record.source,
    source_config: sourceConfigResponse(plane, record),
    source_revision_config: revisionConfigResponse(
      rules,
      record.source,
      record.source_revision_config,
      latest,
    ),
    secrets: secretsResponse(settings.secrets, record.secrets, plane.ids),
    secret_references: record.secret_references === null ? null : structuredClone(record.secret_references),
    tenant_id: record.tenant_id,
    created_at: record.created_at,
    updated_at: record.updated_at,
    status: record.status,
    latest_revision_id: record.latest_revision_id,
    active_revision_id: record.active_revision_id,
    image_version: record.image_version,
  };
}

function staleResponse(record: DeploymentRecord): JsonObject | undefined {
  const { behind } = record;
  if (behind === undefined) return undefined;
  behind.responses -= 1;
  if (behind.responses <= 0) delete record.behind;
  return structuredClone(behind.shown);
}

export function revisionResponse({ rules }: ControlPlane, revision: RevisionRecord): JsonObject {
  return {
    id: revision.id,
    created_at: revision.created_at,
    updated_at: revision.updated_at,
    status: revisionStatus(rules, revision),
    source: revision.source,
    source_revision_config: revisionConfigResponse(
      rules,
      revision.source,
      revision.source_revision_config,
      revision,
    ),
    ...reasonOf(revision),
  };
}

/** Why it failed, where its script says so: not every version of the service does. */
function reasonOf({ state, rollout }: RevisionRecord): { status_message?: string } {
  if (state !== "failed" || typeof rollout !== "object" || !("reason" in rollout)) return {};
  return rollout.reason === undefined ? {} : { status_message: rollout.reason };
}

export function revisionStatus({ revisionStatus: words }: Rules, revision: RevisionRecord): string {
  if (revision.state !== "rolling-out") return revision.failure ?? words[revision.state];
  const { rollout, source, polls } = revision;
  const scripted = typeof rollout === "object" && "revision" in rollout ? rollout.revision : undefined;
  const steps = scripted ?? words.stepsOf?.[source] ?? words.steps;
  return steps[Math.min(polls, steps.length - 1)] ?? words.done;
}

/** A source that is built may be shown as what was built, instead of what was given. */
function revisionConfigResponse(
  { responses, sources }: Rules,
  source: string,
  stored: JsonObject,
  revision: RevisionRecord | undefined,
): JsonObject {
  const response = withDefaults(responses.sourceRevisionConfig, stored);
  const commit = response[responses.commitField];
  if (responses.built === undefined || !sources[source]?.resolvesCommit || typeof commit !== "string")
    return response;
  response["repo_ref"] = commit;
  if (revision?.state === "done") response["image_uri"] = fill(responses.built.image, { commit });
  return response;
}

/** Keys that the service has learnt since; each of them also stands in the rules, with its default. */
function laterResponse(plane: ControlPlane, record: DeploymentRecord): JsonObject {
  const { later, generatedUrl } = plane.rules.responses;
  const { display_name = null, route_through_gateway } = record;
  const gateway: JsonObject = route_through_gateway === undefined ? {} : { route_through_gateway };
  if (later === undefined) return gateway;
  const { field, ofSources = {} } = generatedUrl;
  const url = Object.hasOwn(ofSources, record.source)
    ? null
    : (sourceConfigResponse(plane, record)[field] ?? null);
  return { ...later, ...gateway, display_name, url };
}

/** The stored value of a field of source_config, or what the service says instead. */
export function sourceConfigResponse(plane: ControlPlane, record: DeploymentRecord): JsonObject {
  const { responses } = plane.rules;
  const response = withDefaults(responses.sourceConfig, record.source_config);
  for (const [key, { defaults, always, tenths = [] }] of Object.entries(responses.nested)) {
    const stored = response[key];
    if (isObject(stored)) response[key] = withDefaults(defaults, roundToTenths(stored, tenths));
    else if (always) response[key] = structuredClone(defaults);
  }
  if ("repo_branch" in responses.sourceConfig)
    response["repo_branch"] = record.source_revision_config["repo_ref"] ?? null;
  const { field, template, ofSources } = responses.generatedUrl;
  // The address exists from the first finished rollout on.
  if (response[field] === null && record.active_revision_id !== null) {
    const address = plane.settings.apps ? `${plane.appsAt}{name}` : (ofSources?.[record.source] ?? template);
    response[field] = fill(address, { name: labelOf(record), hash: sha256(record.id).slice(0, 8) });
  }
  return response;
}

/** A deployment's name as it stands in an address. */
export function labelOf({ name }: DeploymentRecord): string {
  return name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
}

function roundToTenths(stored: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [
      key,
      keys.includes(key) && typeof value === "number" ? Math.round(value * 10) / 10 : value,
    ]),
  );
}

function withDefaults(defaults: JsonObject, stored: JsonObject): JsonObject {
  const given = Object.entries(stored).filter(([, value]) => value !== null);
  return structuredClone({ ...defaults, ...Object.fromEntries(given) });
}

function secretsResponse(how: ShownSecrets, secrets: readonly Secret[], ids: Ids): Json {
  switch (how) {
    case "clear":
      return secrets.map(({ name, value }) => ({ name, value }));
    case "masked":
      return secrets.map(({ name }) => ({ name, value: "***" }));
    case "null":
      return secrets.map(({ name }) => ({ name, value: null }));
    case "omitted":
      return secrets.map(({ name }) => ({ name }));
    case "empty":
      return [];
    case "word":
      return secrets.map(({ name }) => ({ name, value: "VALUE_WITHHELD" }));
    case "tail":
      return secrets.map(({ name, value }) => ({ name, value: `${value.slice(0, 3)}...${value.slice(-4)}` }));
    case "chance":
      return secrets.map(({ name }) => ({ name, value: ids.uuid() }));
  }
}
