import { listDeployments, listRevisions, page, text } from "../known-queries";
import type { Endpoint, EndpointName, FilterRule, QueryRules, Rules } from "../dialect-rules";

/** Sections 1.1 to 1.5. */

const deployments = "/v2/deployments";
const deployment = `${deployments}/{deployment_id}`;
const revision = `${deployment}/revisions/{revision_id}`;
const project = "/v1/projects/{deployment_id}";

const get = (name: EndpointName, path: string): Endpoint => ({ name, method: "GET", path });
const patch = (name: EndpointName, path: string): Endpoint => ({ name, method: "PATCH", path });
const post = (name: EndpointName, path: string): Endpoint => ({ name, method: "POST", path });
const order = (name: EndpointName, path: string): Endpoint => ({ ...post(name, path), noBody: true });

export const endpoints: readonly Endpoint[] = [
  post("createDeployment", deployments),
  get("listDeployments", deployments),
  get("getDeployment", deployment),
  patch("patchDeployment", deployment),
  patch("patchDeploymentTier", `${deployment}/deployment-tier`),
  patch("patchResourceTiers", `${deployment}/resource-tiers`),
  { name: "deleteDeployment", method: "DELETE", path: deployment },
  order("makePushToken", `${deployment}/push-token`),
  order("makeUploadUrl", `${deployment}/upload-url`),
  { name: "upload", method: "PUT", path: "/_storage/{upload_id}", noBody: true, open: true },
  get("listRevisions", `${deployment}/revisions`),
  get("getRevision", revision),
  // Clients send the first, the vendor's page says the second. The refusals are unknown.
  order("interruptRevision", `${revision}/interruption`),
  order("interruptRevision", `${revision}/interrupt`),
  get("readLogs", `${deployment}/logs`),
  get("readLogs", `${revision}/logs`),
  get("readDeploymentLogs", "/v2/deployment-logs"),
  post("readBuildLogs", `${project}/revisions/{revision_id}/build_logs`),
  post("readDeployLogs", `${project}/deploy_logs`),
  post("readDeployLogs", `${project}/revisions/{revision_id}/deploy_logs`),
  get("listCodehostIntegrations", "/v1/integrations/github/install"),
  get("listCodehostRepositories", "/v1/integrations/github/{integration_id}/repos"),
  get("listServiceIntegrations", "/v1/integrations/forge/github/install"),
  get("listServiceRepositories", "/v1/integrations/forge/github/{integration_id}/repos"),
  get("listListeners", "/v2/listeners"),
];

const sortOrder: FilterRule = { kind: "choice", values: ["asc", "desc"] };
const level: FilterRule = { kind: "choice", values: ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] };

const readLogs: QueryRules = {
  page: { limit: 50, max: 1000 },
  filters: {
    type: { kind: "choice", values: ["build", "deploy"], required: true },
    order: sortOrder,
    // Accepted without effect.
    start_time: text,
    end_time: text,
    query: text,
    run_id: text,
    level,
  },
};

const readDeploymentLogs: QueryRules = {
  filters: {
    deployment_id: { kind: "uuid", required: true },
    revision_id: { kind: "uuid" },
    log_type: { kind: "choice", values: ["BUILD", "DEPLOY"] },
    sort_order: sortOrder,
    page_size: { kind: "integer", min: 1, max: 100 },
    cursor: text,
    start_time: text,
    end_time: text,
  },
};

export function queries(deploymentTypes: readonly string[]): Rules["queries"] {
  const deployments = listDeployments(deploymentTypes);
  return {
    listDeployments: { ...deployments, filters: { ...deployments.filters, name: text, url: text } },
    listRevisions,
    deleteDeployment: { filters: { delete_tracing_project: { kind: "boolean" } } },
    readLogs,
    readDeploymentLogs,
    listListeners: { page },
  };
}
