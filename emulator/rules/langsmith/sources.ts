import type { Rules, SourceRules } from "../rules";

/** Section 2.1: which source needs a field, and which takes it. */

export interface SourceOptions {
  /** Whether a `github` deployment must say `build_on_push` itself (the vendor's client: now it must). */
  readonly buildOnPush: "required" | "optional";
  /** Whether a `github` deployment must say `deployment_type` itself (the vendor's client: now it must). */
  readonly deploymentType: "required" | "optional";
  /** Whether `internal_source` must say where the graph's configuration is: its newest client does not. */
  readonly internalConfigPath: "required" | "optional";
}

/** That another source's field is refused is inferred, except for the table's own words; so is the status. */
const takenBy: Readonly<Record<string, readonly string[]>> = {
  "source_revision_config.repo_ref": ["github"],
  "source_revision_config.langgraph_config_path": ["github", "internal_source"],
  "source_revision_config.image_uri": ["external_docker", "internal_docker"],
  "source_revision_config.source_tarball_path": ["internal_source"],
  "source_config.integration_id": ["github"],
  "source_config.repo_url": ["github"],
  "source_config.deployment_type": ["github", "internal_docker", "internal_source", "internal_template"],
  "source_config.build_on_push": ["github"],
  // The service sets it for `github`, once the deployment stands.
  "source_config.custom_url": ["external_docker"],
  "source_config.resource_spec": ["external_docker"],
  "source_config.listener_id": ["external_docker"],
  "source_config.listener_config": ["external_docker"],
  "source_config.install_command": ["github", "internal_source"],
  "source_config.build_command": ["github", "internal_source"],
  "source_config.template_id": ["internal_template"],
};

export function sources(options: SourceOptions): Rules["sources"] {
  const names = ["github", "external_docker", "internal_docker", "internal_source", "internal_template"];
  const when = (option: "required" | "optional", path: string) => (option === "required" ? [path] : []);
  // In the order in which the service was seen live to ask for the first three.
  const required: Readonly<Record<string, readonly string[]>> = {
    github: [
      "source_revision_config.repo_ref",
      "source_revision_config.langgraph_config_path",
      "source_config.integration_id",
      "source_config.repo_url",
      ...when(options.deploymentType, "source_config.deployment_type"),
      ...when(options.buildOnPush, "source_config.build_on_push"),
    ],
    external_docker: ["source_revision_config.image_uri", "source_config.resource_spec"],
    internal_source: when(options.internalConfigPath, "source_revision_config.langgraph_config_path"),
  };
  // There is no image and no place for an archive before the deployment is there.
  const refusedOnCreate: Readonly<Record<string, readonly string[]>> = {
    internal_docker: ["source_revision_config.image_uri"],
    internal_source: ["source_revision_config.source_tarball_path"],
  };
  // A deployment for uploaded source has no revision before the first upload (10.3).
  const runs: Readonly<Record<string, string>> = {
    internal_docker: "source_revision_config.image_uri",
    internal_source: "source_revision_config.source_tarball_path",
  };
  const rulesOf = (source: string): SourceRules => ({
    ...(runs[source] !== undefined && { runs: runs[source] }),
    secretReferences: source === "external_docker",
    resolvesCommit: source === "github",
    needsListener: source === "external_docker",
    required: required[source] ?? [],
    refused: Object.entries(takenBy)
      .filter(([, takers]) => !takers.includes(source))
      .map(([path]) => path),
    refusedOnCreate: refusedOnCreate[source] ?? [],
    // What was created for uploads takes no image that was built elsewhere (10.12; the status is inferred).
    refusedRevisionSources: source === "internal_source" ? ["internal_docker"] : [],
  });
  return Object.fromEntries(names.map((source) => [source, rulesOf(source)]));
}
