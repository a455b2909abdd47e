import { langsmith, type Emulator, type EmulatorOptions, type JsonObject } from "../../../emulator";
import { call, start as startAny, type Reply } from "../support";

export { call } from "../support";

export const integration = "11111111-1111-4111-8111-111111111111";
export const repository = "https://github.com/acme/chat";
export const image = "registry.example.com/chat:1";

export const start = (options: EmulatorOptions = {}) => startAny({ rules: langsmith, ...options });

/** The least that each source is created from. */
export const bodies = {
  github: {
    name: "chat",
    source: "github",
    source_config: {
      integration_id: integration,
      repo_url: repository,
      deployment_type: "dev",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [],
  },
  external_docker: {
    name: "chat",
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: image },
    secrets: [],
  },
  internal_docker: {
    name: "chat",
    source: "internal_docker",
    source_config: { deployment_type: "dev" },
    source_revision_config: {},
    secrets: [],
  },
  internal_source: {
    name: "chat",
    source: "internal_source",
    source_config: { deployment_type: "dev" },
    source_revision_config: { langgraph_config_path: "langgraph.json" },
    secrets: [],
  },
  internal_template: {
    name: "chat",
    source: "internal_template",
    source_config: { template_id: "starter" },
    source_revision_config: {},
    secrets: [],
  },
} satisfies Record<string, JsonObject>;

export type Source = keyof typeof bodies;

/** The least body of a source, with members of its two configurations replaced; undefined removes one. */
export function bodyOf(
  source: Source,
  config: Record<string, unknown> = {},
  revisionConfig: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): unknown {
  const body = bodies[source];
  return {
    ...body,
    source_config: { ...body.source_config, ...config },
    source_revision_config: { ...body.source_revision_config, ...revisionConfig },
    ...more,
  };
}

export const post = (emulator: Emulator, body: unknown) => call(emulator, "POST", "/v2/deployments", body);

export async function created(emulator: Emulator, body: unknown = bodies.external_docker): Promise<Reply> {
  const reply = await post(emulator, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply;
}

/** A deployment, and requests to it: paths are below its own. */
export async function deployed(emulator: Emulator, body?: unknown) {
  const { body: made } = await created(emulator, body);
  const own = `/v2/deployments/${String(made["id"])}`;
  return {
    id: String(made["id"]),
    made,
    get: (path = "") => call(emulator, "GET", own + path),
    patch: (change: unknown) => call(emulator, "PATCH", own, change),
    post: (path: string, sent?: unknown) => call(emulator, "POST", own + path, sent),
    remove: (query = "") => call(emulator, "DELETE", own + query),
    /** Statuses of the revisions, newest first. */
    revisions: async () => {
      const { body: page } = await call(emulator, "GET", `${own}/revisions`);
      return (page["resources"] as JsonObject[]).map(({ status }) => status);
    },
  };
}

export const refusal = (detail: string, status = 400) => ({ status, body: { detail } });
export const needs = (path: string, source: string) =>
  refusal(`Source configuration error: '${path}' is required for '${source}' source`);
export const takesNo = (path: string, source: string) =>
  refusal(`Source configuration error: '${path}' is not applicable for '${source}' source`);
