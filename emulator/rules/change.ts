import { valueAt, type Json, type JsonObject } from "../json-values";
import type { PatchRules } from "./dialect-rules";

export type Secret = { name: string; value: string };
export type SecretReference = { name: string; secret_name: string; secret_key: string };

/** The part of a deployment that a PATCH can change. */
export interface Content {
  source_config: JsonObject;
  /** The latest revision's. */
  source_revision_config: JsonObject;
  secrets: Secret[];
  secret_references: SecretReference[] | null;
}

/** The body of a PATCH. */
export interface Change {
  revision_source?: string | null;
  source_config?: JsonObject | null;
  source_revision_config?: JsonObject | null;
  secrets?: Secret[] | null;
  secret_references?: SecretReference[] | null;
  display_name?: string | null;
  tracked_packages?: Json;
  route_through_gateway?: boolean | null;
  tracked_repo_ref?: string | null;
  deployment_tier?: string | null;
}

/** What the deployment would be. Changes nothing, because the result can still be refused. */
export function mergeChange(rules: PatchRules, stored: Content, change: Change): Content {
  const keepsNull = rules.null === "keeps";
  const { secrets, secret_references } = change;
  const keepsSecrets = isIgnored(rules, secrets) || (secrets === null && keepsNull);
  return {
    source_config: mergeKeys(keepsNull, stored.source_config, change.source_config),
    source_revision_config: mergeKeys(
      keepsNull,
      stored.source_revision_config,
      change.source_revision_config,
    ),
    secrets: keepsSecrets || secrets === undefined ? stored.secrets : (secrets ?? []),
    secret_references:
      secret_references === undefined || (secret_references === null && keepsNull)
        ? stored.secret_references
        : secret_references,
  };
}

function mergeKeys(keepsNull: boolean, stored: JsonObject, given: JsonObject | null | undefined): JsonObject {
  const merged = new Map(Object.entries(stored));
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value !== null) merged.set(key, value);
    else if (!keepsNull) merged.delete(key);
  }
  return Object.fromEntries(merged);
}

export function asksForRevision(rules: PatchRules, change: Change): boolean {
  const { secrets, ...rest } = change;
  const effective = isIgnored(rules, secrets) ? rest : change;
  return rules.revisionFrom.some((path) => valueAt(effective, path) !== null);
}

function isIgnored({ emptySecrets }: PatchRules, secrets: Change["secrets"]): boolean {
  return emptySecrets === "keeps" && secrets?.length === 0;
}
