import {
  any,
  choice,
  each,
  integer,
  nullable,
  object,
  text as plainText,
  type Shape,
} from "../../json-shape";
import * as base from "../wire-fields";
import {
  flag,
  immutable,
  nonEmpty,
  nullableList,
  requiredText,
  secretReferences,
  secrets,
  text,
} from "../wire-fields";
import type { Rules } from "../dialect-rules";

/**
 * Section 2. What a schema does not contain (`name` in a PATCH; `id`, `repo_commit_sha` and `display_name` in a POST) is an
 * unknown key. What the schema contains but can be set only once is refused by name.
 */

const sizes = ["S", "M", "L"];

/** A revision can replace its deployment's source by one of these only (7.7). */
const revisionSources = ["github", "internal_docker", "internal_source"];

/** In cores; the public schema has bounds for these components and for no other. */
const cores = (name: string): Record<string, Shape> => ({
  [name]: { kind: "number", integer: false, min: 0.1, max: 8, nullable: true },
  [`${name}_limit`]: { kind: "number", integer: false, min: 0.1, max: 16, nullable: true },
});

/** The core API's container, where it is a sidecar. */
const core: Record<string, Shape> = {
  core_cpu: { kind: "number", integer: false, min: 0.1, nullable: true },
  core_cpu_limit: { kind: "number", integer: false, min: 0.1, nullable: true },
  core_memory_mb: nullable(integer(0)),
  core_memory_limit_mb: nullable(integer(0)),
};

const tier = nullable(
  choice(...["SERVERLESS", "DEDICATED"].flatMap((family) => sizes.map((size) => `${family}_${size}`))),
);

const labels: Shape = { kind: "free", of: plainText, nullable: true };

const container = object({
  ...base.container.fields,
  name: requiredText,
  image: requiredText,
  env: nullableList(object({ name: requiredText, value: text, valueFrom: base.free })),
  resources: nullable(object({ limits: labels, requests: labels })),
});

/** Section 6. Negative numbers are refused even if the service's schema has no bound (inferred). */
export const resourceSpec = object({
  ...base.resourceSpec.fields,
  ...cores("cpu"),
  ...cores("queue_cpu"),
  ...cores("redis_cpu"),
  ...core,
  labels,
  annotations: labels,
  image_pull_secrets: nullableList(object({ name: requiredText })),
  init_containers: nullableList(container),
  sidecars: nullableList(container),
});

export const sourceConfig = (deploymentTypes: readonly string[]): Record<string, Shape> => ({
  ...base.sourceConfigOf(resourceSpec),
  deployment_type: nullable(choice(...deploymentTypes)),
  template_id: text,
});

export const sourceRevisionConfig: Record<string, Shape> = {
  repo_ref: nonEmpty,
  langgraph_config_path: nonEmpty,
  image_uri: nonEmpty,
  source_tarball_path: nonEmpty,
};

/** Cannot be changed; an explicit null says nothing and is accepted. */
const once = nullable(immutable);

export function requests(
  namePattern: string,
  deploymentTypes: readonly string[],
  sources: readonly string[],
): Rules["requests"] {
  const created = sourceConfig(deploymentTypes);
  const changed = {
    ...created,
    ...each(once, "integration_id", "repo_url", "deployment_type"),
    ...each(once, "listener_id", "listener_config", "template_id"),
  };
  return {
    create: object({
      ...base.createRequest({
        name: { kind: "string", minLength: 1, pattern: namePattern },
        source: choice(...sources),
        source_config: object(created),
        source_revision_config: object(sourceRevisionConfig),
      }),
      ...each(flag, "route_through_gateway", "shareable"),
    }),
    patch: object({
      source_config: nullable(object(changed)),
      source_revision_config: nullable(object(sourceRevisionConfig)),
      secrets: nullable(secrets),
      secret_references: secretReferences,
      tracked_packages: any,
      revision_source: nullable(choice(...revisionSources)),
      display_name: nonEmpty,
      route_through_gateway: flag,
      tracked_repo_ref: nonEmpty,
      deployment_tier: tier,
    }),
  };
}
