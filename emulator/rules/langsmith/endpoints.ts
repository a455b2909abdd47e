import type { Endpoint, EndpointName, QueryRules, Rules } from "../rules";

/** Sections 1.1 to 1.5. The order counts: a word of a path goes before a placeholder. */

const deployments = "/v2/deployments";
const deployment = `${deployments}/{deployment_id}`;
const revision = `${deployment}/revisions/{revision_id}`;
const project = "/v1/projects/{deployment_id}";
const listener = "/v2/listeners/{listener_id}";

const get = (path: string): Endpoint => ({ method: "GET", path });
const post = (path: string): Endpoint => ({ method: "POST", path });
const remove = (path: string): Endpoint => ({ method: "DELETE", path });
const patch = (path: string): Endpoint => ({ method: "PATCH", path });
const order = (path: string): Endpoint => ({ method: "POST", path, noBody: true });

export const endpoints: Readonly<Partial<Record<EndpointName, Endpoint>>> = {
  createDeployment: post(deployments),
  listDeployments: get(deployments),
  deleteDeployments: remove(deployments),
  countFreeDeployments: get(`${deployments}/free-count`),
  getDeployment: get(deployment),
  patchDeployment: patch(deployment),
  deleteDeployment: remove(deployment),
  deleteProject: remove(project),
  makePushToken: order(`${deployment}/push-token`),
  makeUploadUrl: order(`${deployment}/upload-url`),
  upload: { method: "PUT", path: "/_storage/{upload_id}", noBody: true, open: true },
  listRevisions: get(`${deployment}/revisions`),
  createRevision: post(`${deployment}/revisions`),
  getRevision: get(revision),
  redeployRevision: order(`${revision}/redeploy`),
  // Two clients send it; its body and its refusals are unknown (1.2, 10.6).
  interruptRevision: order(`${revision}/interruption`),
  readLogs: get(`${deployment}/logs`),
  readRevisionLogs: get(`${revision}/logs`),
  readBuildLogs: post(`${project}/revisions/{revision_id}/build_logs`),
  readDeployLogs: post(`${project}/deploy_logs`),
  readRevisionDeployLogs: post(`${project}/revisions/{revision_id}/deploy_logs`),
  listCodehostIntegrations: get("/v1/integrations/github/install"),
  listCodehostRepositories: get("/v1/integrations/github/{integration_id}/repos"),
  listServiceIntegrations: get("/v1/integrations/forge/github/install"),
  listServiceRepositories: get("/v1/integrations/forge/github/{integration_id}/repos"),
  listListeners: get("/v2/listeners"),
  createListener: post("/v2/listeners"),
  getListener: get(listener),
  patchListener: patch(listener),
  deleteListener: remove(listener),
};

const page: QueryRules = {
  limit: { kind: "integer", role: "limit", default: 20, min: 1, max: 100 },
  offset: { kind: "integer", role: "offset", default: 0, min: 0 },
};

const deletion: QueryRules = {
  delete_tracing_project: { kind: "boolean", filter: "deleteTracingProject" },
  force: { kind: "boolean", filter: "force" },
};

const none = { kind: "text", filter: "none" } as const;
const logs: QueryRules = {
  type: { kind: "choice", filter: "logType", values: ["build", "deploy"], required: true },
  limit: { kind: "integer", role: "limit", default: 50, min: 1, max: 1000 },
  order: { kind: "choice", filter: "logOrder", values: ["asc", "desc"] },
  offset: { kind: "text", filter: "logOffset" },
  ...{ start_time: none, end_time: none, query: none, level: none, run_id: none },
};

export const queries = (deploymentTypes: readonly string[]): Rules["queries"] => ({
  listDeployments: {
    ...page,
    name_contains: { kind: "text", filter: "nameContains" },
    name: { kind: "text", filter: "name" },
    status: { kind: "text", filter: "status" },
    remote_reconciled: { kind: "boolean", filter: "remoteReconciled" },
    tag_value_ids: { kind: "texts", filter: "tags" },
    image_version: { kind: "text", filter: "imageVersion" },
    deployment_type: { kind: "choice", filter: "deploymentType", values: deploymentTypes },
    deployment_ids: { kind: "uuids", filter: "ids", max: 100 },
  },
  listRevisions: {
    ...page,
    status: { kind: "texts", filter: "revisionStatus" },
    remote_reconciled: { kind: "boolean", filter: "remoteReconciled" },
  },
  deleteDeployment: deletion,
  deleteProject: deletion,
  deleteDeployments: {
    deployment_ids: { kind: "repeatedUuids", filter: "ids", max: 100, required: true },
  },
  listListeners: page,
  readLogs: logs,
  readRevisionLogs: logs,
});
