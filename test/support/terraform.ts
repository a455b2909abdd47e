/**
 * States of Terraform with deployments of the official provider (`langchain-ai/langsmith`, schema of October 2026), in both
 * forms: the state file, and what `terraform show -json` prints.
 */

export interface Resource {
  /** `module.eu`; none for the root. */
  readonly module?: string;
  readonly name: string;
  /** The key of `for_each`, or the number of `count`. */
  readonly index?: string | number;
  readonly id?: string | null;
  readonly type?: string;
  readonly mode?: "managed" | "data";
  readonly workspace?: string;
  /** What exists only until it is destroyed. */
  readonly isDeposed?: boolean;
}

/** A value that no command may show. */
export interface Values {
  readonly environment: string;
}

const provider = "registry.terraform.io/langchain-ai/langsmith";

const attributesOf = ({ id = null, name, workspace }: Resource, { environment }: Values) => ({
  active_revision_id: null,
  created_at: "2026-10-01T00:00:00Z",
  display_name: null,
  environment_variables: { LOG_LEVEL: environment },
  id,
  latest_revision_id: null,
  latest_revision_status: "DEPLOYED",
  name: `${name}-${environment}`,
  secret_references: null,
  secrets: null,
  secrets_hash: environment,
  secrets_version: null,
  source: "external_docker",
  source_config: {
    ...{ build_command: null, build_on_push: false, custom_url: environment, deployment_type: "prod" },
    ...{ install_command: null, integration_id: null, listener_config: null, listener_id: null },
    ...{ repo_url: null, resource_spec: { cpu: 1, labels: { owner: environment } }, template_id: null },
  },
  source_revision_config: { image_uri: environment, langgraph_config_path: null, repo_ref: null },
  status: "READY",
  tenant_id: "00000000-0000-4000-8000-000000000001",
  updated_at: "2026-10-01T00:00:00Z",
  ...(workspace !== undefined && { workspace_id: workspace }),
});

const typeOf = ({ type = "langsmith_deployment" }: Resource) => type;

export function stateFile(resources: readonly Resource[], values: Values): string {
  const instanceOf = (resource: Resource) => ({
    ...(resource.index !== undefined && { index_key: resource.index }),
    ...(resource.isDeposed && { deposed: "0a1b2c3d" }),
    schema_version: 0,
    attributes: attributesOf(resource, values),
    sensitive_attributes: [[{ type: "get_attr", value: "secrets_hash" }]],
    private: "bnVsbA==",
  });
  return JSON.stringify({
    version: 4,
    terraform_version: "1.13.3",
    serial: 12,
    lineage: "3f1c9a0d-2b11-4c53-9c3e-6f0e6c1a1f0b",
    outputs: { key: { value: values.environment, type: "string", sensitive: true } },
    resources: resources.map((resource) => ({
      ...(resource.module && { module: resource.module }),
      mode: resource.mode ?? "managed",
      type: typeOf(resource),
      name: resource.name,
      provider: `provider["${provider}"]`,
      instances: [instanceOf(resource)],
    })),
    check_results: null,
  });
}

/** @param addresses of the resources, in their order */
export function shownState(
  resources: readonly Resource[],
  addresses: readonly string[],
  values: Values,
): string {
  const shown = resources.map((resource, at) => ({
    module: resource.module ?? "",
    address: addresses[at],
    mode: resource.mode ?? "managed",
    type: typeOf(resource),
    name: resource.name,
    ...(resource.index !== undefined && { index: resource.index }),
    ...(resource.isDeposed && { deposed_key: "0a1b2c3d" }),
    provider_name: provider,
    schema_version: 0,
    values: attributesOf(resource, values),
    sensitive_values: { secrets_hash: true },
  }));
  const of = (module: string) =>
    shown.filter((each) => each.module === module).map(({ module: _, ...each }) => each);
  const modules = [...new Set(shown.map(({ module }) => module))].filter((module) => module !== "");
  // Modules are flat here, because each has its full address.
  const child_modules = modules.map((address) => ({ address, resources: of(address) }));
  return JSON.stringify({
    format_version: "1.0",
    terraform_version: "1.13.3",
    values: {
      outputs: { key: { value: values.environment, type: "string", sensitive: true } },
      root_module: { resources: of(""), child_modules: nested(child_modules) },
    },
  });
}

/** The first one holds the others. */
function nested<T>([first, ...rest]: T[]): object[] {
  return first === undefined ? [] : [{ ...first, child_modules: rest }];
}
