import type { Shape } from "../shape";
import {
  choice,
  flag,
  immutable,
  listOf,
  nullable,
  nullsOf,
  object,
  readOnly,
  required,
  resourceSpec,
  secret,
  secretReference,
  text,
  uuid,
} from "./fields";
import type { Rules, SourceRules } from "./rules";
import { commonTexts } from "./texts";

/** The specification's own words. What it leaves open is decided here, and only here. */

const deploymentTypes = ["dev_free", "dev", "prod"];

/** The specification says that fields are validated against the source, not how: nothing is assumed. */
const anySource: SourceRules = { secretReferences: false, resolvesCommit: false, required: [], refused: [] };

const sources = {
  codehost: { ...anySource, resolvesCommit: true },
  external_container: { ...anySource, secretReferences: true },
  internal_container: anySource,
  internal_source: anySource,
  internal_template: anySource,
};

const sourceConfig = {
  integration_id: uuid,
  repo_url: text,
  build_on_push: flag,
  custom_url: text,
  resource_spec: nullable(resourceSpec),
  listener_id: uuid,
  listener_config: nullable(object({ k8s_namespace: text })),
  install_command: text,
  build_command: text,
};

const sourceRevisionConfig = {
  repo_ref: text,
  graph_config_path: text,
  image_uri: text,
  source_tarball_path: text,
  repo_commit_sha: readOnly,
};

const readOnlyFields: Record<string, Shape> = {
  id: readOnly,
  tenant_id: readOnly,
  created_at: readOnly,
  updated_at: readOnly,
  status: readOnly,
  latest_revision_id: readOnly,
  active_revision_id: readOnly,
  image_version: readOnly,
};

const path = "/v2/deployments";

export const standard: Rules = {
  headers: { apiKey: "X-Api-Key", tenant: "X-Tenant-Id", requestId: "X-Request-Id" },
  endpoints: {
    createDeployment: { method: "POST", path },
    listDeployments: { method: "GET", path },
    patchDeployment: { method: "PATCH", path: `${path}/{deployment_id}` },
    deleteDeployment: { method: "DELETE", path: `${path}/{deployment_id}` },
    listCodehostRepositories: { method: "GET", path: "/v1/integrations/codehost/{integration_id}/repos" },
  },
  unknownKeys: "refuse",
  requests: {
    create: object({
      name: required({ kind: "string", minLength: 1 }),
      source: required(choice(...Object.keys(sources))),
      source_config: required(
        object({ ...sourceConfig, deployment_type: nullable(choice(...deploymentTypes)) }),
      ),
      source_revision_config: required(object(sourceRevisionConfig)),
      secrets: required({ kind: "list", of: secret }),
      secret_references: listOf(secretReference),
      ...readOnlyFields,
    }),
    patch: object({
      name: immutable,
      source: immutable,
      revision_source: nullable(choice("codehost", "internal_container", "internal_source")),
      source_config: object({ ...sourceConfig, deployment_type: immutable }),
      source_revision_config: object(sourceRevisionConfig),
      secrets: listOf(secret),
      secret_references: listOf(secretReference),
      ...readOnlyFields,
    }),
  },
  queries: {
    listDeployments: {
      limit: { kind: "integer", role: "limit", default: 20, min: 1, max: 100 },
      offset: { kind: "integer", role: "offset", default: 0, min: 0 },
      name_contains: { kind: "text", filter: "nameContains" },
      status: { kind: "text", filter: "status" },
      remote_reconciled: { kind: "boolean", filter: "remoteReconciled" },
      tag_value_ids: { kind: "texts", filter: "tags" },
      image_version: { kind: "text", filter: "imageVersion" },
      deployment_type: { kind: "choice", filter: "deploymentType", values: deploymentTypes },
      deployment_ids: { kind: "uuids", filter: "ids", max: 100 },
    },
    listRevisions: {
      limit: { kind: "integer", role: "limit", default: 20, min: 1, max: 100 },
      offset: { kind: "integer", role: "offset", default: 0, min: 0 },
      status: { kind: "texts", filter: "revisionStatus" },
      remote_reconciled: { kind: "boolean", filter: "remoteReconciled" },
    },
  },
  sources,
  conflicts: [],
  uniqueNames: true,
  patch: {
    null: "clears",
    emptySecrets: "clears",
    emptySecretReferences: "clears",
    revisionFrom: [{ path: "source_revision_config", when: "present" }],
  },
  pace: { rollout: { polls: 1 }, deletion: { polls: 1 }, database: { polls: 1 } },
  status: {
    starting: "AWAITING_DATABASE",
    ready: "READY",
    deleting: "AWAITING_DELETE",
    all: ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"],
  },
  revisionStatus: {
    steps: ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"],
    done: "DEPLOYED",
    failed: "DEPLOY_FAILED",
    failures: ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"],
    overtaken: "SKIPPED",
    queued: "QUEUED",
    interrupted: "INTERRUPTED",
  },
  responses: {
    sourceConfig: {
      ...nullsOf(object(sourceConfig)),
      build_on_push: false,
      deployment_type: "prod",
    },
    sourceRevisionConfig: nullsOf(object(sourceRevisionConfig)),
    nested: {
      resource_spec: {
        defaults: { ...nullsOf(resourceSpec), min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 },
        always: true,
      },
      listener_config: { defaults: { k8s_namespace: null }, always: false },
    },
    generatedUrl: { field: "custom_url", template: "https://{name}-{hash}.apps.example.com" },
    deploymentTypeField: "deployment_type",
    commitField: "repo_commit_sha",
    imageVersion: "1.0.0",
  },
  texts: commonTexts,
};
