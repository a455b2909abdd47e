import { listDeployments, listRevisions, text } from "../queries";
import type { Endpoint, EndpointName, QueryRules, Rules } from "../rules";

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
  order("makePushToken", `${deployment}/push-token`),
  order("makeUploadUrl", `${deployment}/upload-url`),
  { name: "upload", method: "PUT", path: "/_storage/{upload_id}", noBody: true, open: true },
  get("listRevisions", `${deployment}/revisions`),
  get("getRevision", revision),
  // Two clients send it; its body and its refusals are unknown (1.2, 10.6).
  order("interruptRevision", `${revision}/interruption`),
  get("readLogs", `${deployment}/logs`),
  get("readLogs", `${revision}/logs`),
  post("readBuildLogs", `${project}/revisions/{revision_id}/build_logs`),
  post("readDeployLogs", `${project}/deploy_logs`),
  post("readDeployLogs", `${project}/revisions/{revision_id}/deploy_logs`),
  get("listCodehostIntegrations", "/v1/integrations/github/install"),
  get("listCodehostRepositories", "/v1/integrations/github/{integration_id}/repos"),
  get("listServiceIntegrations", "/v1/integrations/forge/github/install"),
  get("listServiceRepositories", "/v1/integrations/forge/github/{integration_id}/repos"),
];

const readLogs: QueryRules = {
  page: { limit: 50, max: 1000 },
  filters: {
    type: { kind: "choice", values: ["build", "deploy"], required: true },
    order: { kind: "choice", values: ["asc", "desc"] },
    // Accepted without effect.
    ...{ start_time: text, end_time: text, query: text, level: text, run_id: text },
  },
};

export function queries(deploymentTypes: readonly string[]): Rules["queries"] {
  const deployments = listDeployments(deploymentTypes);
  return {
    listDeployments: { ...deployments, filters: { ...deployments.filters, name: text } },
    listRevisions,
    deleteDeployment: { filters: { delete_tracing_project: { kind: "boolean" } } },
    readLogs,
  };
}
