import { listDeployments, listRevisions, page, text } from "../known-queries";
import type { Endpoint, EndpointName, FilterRule, QueryRules, Rules } from "../dialect-rules";

/** Sections 1.1 to 1.5. */

const deployments = "/v2/deployments";
const deployment = `${deployments}/{deployment_id}`;
const revision = `${deployment}/revisions/{revision_id}`;
const project = "/v1/projects/{deployment_id}";

const get = (name: EndpointName, path: string): Endpoint => ({ name, method: "GET", path });
const post = (name: EndpointName, path: string): Endpoint => ({ name, method: "POST", path });
const order = (name: EndpointName, path: string): Endpoint => ({ ...post(name, path), noBody: true });

export const endpoints: readonly Endpoint[] = [
  post("createDeployment", deployments),
  get("listDeployments", deployments),
  get("getDeployment", deployment),
  { name: "patchDeployment", method: "PATCH", path: deployment },
  { name: "deleteDeployment", method: "DELETE", path: deployment },
  order("makeUploadUrl", `${deployment}/upload-url`),
  { name: "upload", method: "PUT", path: "/_storage/{upload_id}", noBody: true, open: true },
  get("listRevisions", `${deployment}/revisions`),
  get("getRevision", revision),
  // Clients send the first, the vendor's page says the second. The refusals are unknown.
  order("interruptRevision", `${revision}/interruption`),
  order("interruptRevision", `${revision}/interrupt`),
  get("readLogs", `${revision}/logs`),
  post("readBuildLogs", `${project}/revisions/{revision_id}/build_logs`),
  post("readDeployLogs", `${project}/revisions/{revision_id}/deploy_logs`),
  get("listCodehostIntegrations", "/v1/integrations/github/install"),
  get("listCodehostRepositories", "/v1/integrations/github/{integration_id}/repos"),
  get("listServiceRepositories", "/v1/integrations/forge/github/{integration_id}/repos"),
  get("listListeners", "/v2/listeners"),
];

const level: FilterRule = { kind: "choice", values: ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] };

const readLogs: QueryRules = {
  page: { limit: 50, max: 1000 },
  filters: {
    type: { kind: "choice", values: ["build", "deploy"], required: true },
    order: { kind: "choice", values: ["asc", "desc"] },
    // Accepted without effect.
    start_time: text,
    end_time: text,
    query: text,
    run_id: text,
    level,
  },
};

export function queries(deploymentTypes: readonly string[]): Rules["queries"] {
  const deployments = listDeployments(deploymentTypes);
  return {
    listDeployments: { ...deployments, filters: { ...deployments.filters, name: text, url: text } },
    listRevisions,
    deleteDeployment: { filters: { delete_tracing_project: { kind: "boolean" } } },
    readLogs,
    listListeners: { page },
  };
}
