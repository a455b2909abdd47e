import { choice, each, nullable, object } from "../json-shape";
import { createRequest, immutable, nestedDefaults, nullsOf, readOnly, resourceSpec } from "./wire-fields";
import { nonEmpty, secretReferences, secrets, sourceConfigOf } from "./wire-fields";
import { listDeployments, listRevisions } from "./known-queries";
import type { Rules } from "./dialect-rules";
import { commonTexts } from "./refusal-texts";

/** The rules of the specification. What it leaves open is decided here and nowhere else. */

const deploymentTypes = ["dev_free", "dev", "prod"];

/** The specification says that fields are validated against the source, but not how. So nothing is assumed. */
const sources: Rules["sources"] = {
  codehost: { resolvesCommit: true },
  external_container: { secretReferences: true },
  internal_container: {},
  internal_source: {},
  internal_template: {},
};

const sourceConfig = sourceConfigOf(resourceSpec);

const sourceRevisionConfig = {
  repo_ref: nonEmpty,
  graph_config_path: nonEmpty,
  image_uri: nonEmpty,
  source_tarball_path: nonEmpty,
  repo_commit_sha: readOnly,
};

const readOnlyFields = {
  ...each(readOnly, "id", "tenant_id", "created_at", "updated_at", "status"),
  ...each(readOnly, "latest_revision_id", "active_revision_id", "image_version"),
};

const path = "/v2/deployments";
const one = `${path}/{deployment_id}`;

export const standard: Rules = {
  endpoints: [
    { name: "createDeployment", method: "POST", path },
    { name: "listDeployments", method: "GET", path },
    { name: "patchDeployment", method: "PATCH", path: one },
    { name: "deleteDeployment", method: "DELETE", path: one },
    {
      name: "listCodehostRepositories",
      method: "GET",
      path: "/v1/integrations/codehost/{integration_id}/repos",
    },
  ],
  requests: {
    create: object({
      ...createRequest({
        name: { kind: "string", minLength: 1 },
        source: choice(...Object.keys(sources)),
        source_config: object({ ...sourceConfig, deployment_type: nullable(choice(...deploymentTypes)) }),
        source_revision_config: object(sourceRevisionConfig),
      }),
      ...readOnlyFields,
    }),
    patch: object({
      name: immutable,
      source: immutable,
      revision_source: nullable(choice("codehost", "internal_container", "internal_source")),
      source_config: object({ ...sourceConfig, deployment_type: immutable }),
      source_revision_config: object(sourceRevisionConfig),
      secrets: nullable(secrets),
      secret_references: secretReferences,
      ...readOnlyFields,
    }),
  },
  queries: { listDeployments: listDeployments(deploymentTypes), listRevisions },
  sources,
  patch: { null: "clears", emptySecrets: "clears", revisionFrom: ["source_revision_config"] },
  responses: {
    sourceConfig: { ...nullsOf(object(sourceConfig)), build_on_push: false, deployment_type: "prod" },
    sourceRevisionConfig: nullsOf(object(sourceRevisionConfig)),
    nestedDefaults: nestedDefaults(resourceSpec),
    alwaysNested: ["resource_spec"],
    generatedUrl: "https://{name}-{hash}.apps.example.com",
  },
  texts: commonTexts,
};
