import { langsmith, type Emulator, type EmulatorOptions, type JsonObject } from "../../../emulator";
import { call, created, nobody, start as startAny } from "../support";

export { call, created, nobody, post } from "../support";

export const repository = "https://github.com/acme/chat";
export const image = "registry.example.com/chat:1";
export const newImage = { source_revision_config: { image_uri: `${image}1` } };
export const langgraphConfig = { langgraph_config_path: "langgraph.json" };

export const start = (options: EmulatorOptions = {}) => startAny({ rules: langsmith, ...options });

/** The minimal body for each source. */
export const bodies = {
  github: {
    ...{ name: "chat", source: "github", secrets: [] },
    source_config: {
      ...{ integration_id: nobody, repo_url: repository, deployment_type: "dev", build_on_push: false },
    },
    source_revision_config: { repo_ref: "main", ...langgraphConfig },
  },
  external_docker: {
    ...{ name: "chat", source: "external_docker", secrets: [] },
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: image },
  },
  internal_docker: {
    ...{ name: "chat", source: "internal_docker", secrets: [] },
    source_config: { deployment_type: "dev" },
    source_revision_config: {},
  },
  internal_source: {
    ...{ name: "chat", source: "internal_source", secrets: [] },
    source_config: { deployment_type: "dev" },
    source_revision_config: langgraphConfig,
  },
  internal_template: {
    ...{ name: "chat", source: "internal_template", secrets: [] },
    source_config: { template_id: "starter" },
    source_revision_config: {},
  },
} satisfies Record<string, JsonObject>;

export type Source = keyof typeof bodies;

/** The minimal body with other members in its configurations; undefined removes one. */
export function bodyOf(source: Source, config: object = {}, revisionConfig: object = {}, more: object = {}) {
  const body = bodies[source];
  return {
    ...body,
    source_config: { ...body.source_config, ...config },
    source_revision_config: { ...body.source_revision_config, ...revisionConfig },
    ...more,
  };
}

/** Creates a deployment, and returns requests whose paths are relative to it. */
export async function deployed(emulator: Emulator, body: unknown = bodies.external_docker) {
  const made = await created(emulator, body);
  const own = `/v2/deployments/${String(made["id"])}`;
  const get = (path = "") => call(emulator, "GET", own + path);
  return {
    id: String(made["id"]),
    made,
    get,
    patch: (change: unknown) => call(emulator, "PATCH", own, change),
    send: (path: string, sent?: unknown) => call(emulator, "POST", own + path, sent),
    remove: (query = "") => call(emulator, "DELETE", own + query),
    /** Statuses of the revisions, newest first. */
    revisions: async () =>
      ((await get("/revisions")).body["resources"] as JsonObject[]).map(({ status }) => status),
  };
}

export const refusal = (detail: string, status = 400) => ({ status, body: { detail } });
export const needs = (path: string, source: string) =>
  refusal(`Source configuration error: '${path}' is required for '${source}' source`);
export const takesNo = (path: string, source: string) =>
  refusal(`Source configuration error: '${path}' is not applicable for '${source}' source`);
