import { fill, isObject, type Json, type JsonObject } from "../json";
import type { Rules } from "../rules/rules";
import type { ControlPlane, SecretsAnswer } from "./control-plane";
import { sha256 } from "./ids";
import type { DeploymentRecord, RevisionRecord, Secret } from "./record";

/** The full Deployment: what was never given is there as null, or as the service's default. */
export function deploymentAnswer(plane: ControlPlane, record: DeploymentRecord): JsonObject {
  const { rules, settings } = plane;
  return {
    id: record.id,
    name: record.name,
    source: record.source,
    source_config: sourceConfigAnswer(rules, record),
    source_revision_config: withDefaults(rules.answers.sourceRevisionConfig, record.source_revision_config),
    secrets: secretsAnswer(settings.secrets, record.secrets),
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

export function revisionAnswer({ rules }: ControlPlane, revision: RevisionRecord): JsonObject {
  return {
    id: revision.id,
    created_at: revision.created_at,
    updated_at: revision.updated_at,
    status: revisionStatus(rules, revision),
    source: revision.source,
    source_revision_config: withDefaults(rules.answers.sourceRevisionConfig, revision.source_revision_config),
  };
}

export function revisionStatus({ revisionStatus: words }: Rules, revision: RevisionRecord): string {
  if (revision.state !== "rolling-out") return words[revision.state];
  return words.steps[Math.min(revision.looks, words.steps.length - 1)] ?? words.done;
}

/** The stored value of a field of source_config, or what the service says instead. */
export function sourceConfigAnswer({ answers }: Rules, record: DeploymentRecord): JsonObject {
  const answer = withDefaults(answers.sourceConfig, record.source_config);
  for (const [key, { defaults, always }] of Object.entries(answers.nested)) {
    const stored = answer[key];
    if (isObject(stored)) answer[key] = withDefaults(defaults, stored);
    else if (always) answer[key] = structuredClone(defaults);
  }
  const { field, template } = answers.generatedUrl;
  // The address exists from the first finished rollout on.
  if (answer[field] === null && record.active_revision_id !== null) {
    const label = record.name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
    answer[field] = fill(template, { name: label, hash: sha256(record.id).slice(0, 8) });
  }
  return answer;
}

function withDefaults(defaults: JsonObject, stored: JsonObject): JsonObject {
  const given = Object.entries(stored).filter(([, value]) => value !== null);
  return structuredClone({ ...defaults, ...Object.fromEntries(given) });
}

function secretsAnswer(how: SecretsAnswer, secrets: readonly Secret[]): Json {
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
  }
}
