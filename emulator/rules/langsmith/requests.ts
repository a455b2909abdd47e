import type { ObjectShape, Shape } from "../../shape";
import {
  choice,
  flag,
  immutable,
  listOf,
  nullable,
  object,
  required,
  secret,
  secretReference,
  text,
  uuid,
} from "../fields";
import type { Rules } from "../rules";
import { resourceSpec } from "./resource-spec";

/**
 * Section 2. What a schema does not know (`name` in a PATCH, `id`, `repo_commit_sha`, `display_name` in a
 * POST) is an unknown key and nothing else; what it knows and can only be said once is refused by name.
 */

/** The sources of a revision: the others cannot stand in for another one (7.7). */
const revisionSources = ["github", "internal_docker", "internal_source"];

export interface Schemas {
  readonly deploymentTypes: readonly string[];
  readonly namePattern: string;
  readonly uncapped: boolean;
}

export function fieldsOf({ deploymentTypes, uncapped }: Schemas) {
  const sourceConfig: Record<string, Shape> = {
    integration_id: uuid,
    repo_url: text,
    deployment_type: nullable(choice(...deploymentTypes)),
    build_on_push: flag,
    custom_url: text,
    resource_spec: nullable(resourceSpec(uncapped)),
    listener_id: uuid,
    listener_config: nullable(object({ k8s_namespace: text })),
    install_command: text,
    build_command: text,
    template_id: text,
  };
  const sourceRevisionConfig: Record<string, Shape> = {
    repo_ref: text,
    langgraph_config_path: text,
    image_uri: text,
    source_tarball_path: text,
  };
  return { sourceConfig, sourceRevisionConfig };
}

export function requests(schemas: Schemas, sources: readonly string[]): Rules["requests"] {
  const { sourceConfig, sourceRevisionConfig } = fieldsOf(schemas);
  // An explicit null says nothing, also where a value is refused.
  const once = nullable(immutable);
  const mutable: Record<string, Shape> = {
    ...sourceConfig,
    integration_id: once,
    repo_url: once,
    deployment_type: once,
    listener_id: once,
    listener_config: once,
    template_id: once,
  };
  const revision: Record<string, Shape> = {
    source_config: nullable(object(mutable)),
    source_revision_config: nullable(object(sourceRevisionConfig)),
    secrets: listOf(secret),
    secret_references: listOf(secretReference),
    tracked_packages: { kind: "any" },
  };
  return {
    create: object({
      name: required<Shape>({ kind: "string", minLength: 1, pattern: schemas.namePattern }),
      source: required(choice(...sources)),
      source_config: required(object(sourceConfig)),
      source_revision_config: required(object(sourceRevisionConfig)),
      secrets: required<Shape>({ kind: "list", of: secret }),
      secret_references: listOf(secretReference),
      route_through_gateway: flag,
    }),
    patch: object({
      ...revision,
      revision_source: nullable(choice(...revisionSources)),
      display_name: { kind: "string", minLength: 1, nullable: true },
      route_through_gateway: flag,
    }),
    revise: object(revision),
    ...listenerRequests,
  };
}

const computeConfig: ObjectShape = object({ k8s_namespaces: listOf({ kind: "string" }) });

const listenerRequests = {
  createListener: object({
    compute_type: required(choice("k8s")),
    compute_id: required<Shape>({ kind: "string", minLength: 1 }),
    compute_config: required(computeConfig),
    version: text,
  }),
  patchListener: object({ version: text, compute_config: nullable(computeConfig) }),
};
