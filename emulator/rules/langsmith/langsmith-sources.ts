import type { Rules, SourceRules } from "../dialect-rules";

/** Section 2.1: which source needs a field, and which accepts it. */

const config = (key: string) => `source_config.${key}`;
const revisionConfig = (key: string) => `source_revision_config.${key}`;

/** Except for the table's own words, it is inferred that other sources refuse a field, and so is the status. */
const acceptedBy: Readonly<Record<string, readonly string[]>> = {
  [revisionConfig("repo_ref")]: ["github"],
  [revisionConfig("langgraph_config_path")]: ["github", "internal_source"],
  [revisionConfig("image_uri")]: ["external_docker", "internal_docker"],
  [revisionConfig("source_tarball_path")]: ["internal_source"],
  [config("integration_id")]: ["github"],
  [config("repo_url")]: ["github"],
  [config("deployment_type")]: ["github", "internal_docker", "internal_source", "internal_template"],
  [config("build_on_push")]: ["github"],
  // For `github`, the service sets it once the deployment is ready.
  [config("custom_url")]: ["external_docker"],
  [config("resource_spec")]: ["external_docker"],
  [config("listener_id")]: ["external_docker"],
  [config("listener_config")]: ["external_docker"],
  [config("install_command")]: ["github", "internal_source"],
  [config("build_command")]: ["github", "internal_source"],
  // Inferred.
  tracked_repo_ref: ["github"],
  [config("template_id")]: ["internal_template"],
};

function source(name: string, rules: SourceRules = {}): SourceRules {
  return { ...rules, refused: Object.keys(acceptedBy).filter((path) => !acceptedBy[path]?.includes(name)) };
}

export const sources: Rules["sources"] = {
  github: source("github", {
    resolvesCommit: true,
    // The service was seen to ask for the first three in this order.
    required: [
      revisionConfig("repo_ref"),
      revisionConfig("langgraph_config_path"),
      config("integration_id"),
      config("repo_url"),
      config("deployment_type"),
      config("build_on_push"),
    ],
  }),
  external_docker: source("external_docker", {
    secretReferences: true,
    // Inferred: there is nothing to build.
    skipsBuild: true,
    needsListener: true,
    required: [revisionConfig("image_uri"), config("resource_spec")],
  }),
  // Images and archives can be uploaded only once the deployment exists; its first revision follows.
  internal_docker: source("internal_docker", {
    refusedOnCreate: [revisionConfig("image_uri")],
    runs: revisionConfig("image_uri"),
  }),
  // The schema requires `langgraph_config_path`, but the vendor's clients create without it.
  internal_source: source("internal_source", {
    refusedOnCreate: [revisionConfig("source_tarball_path")],
    runs: revisionConfig("source_tarball_path"),
    // It accepts no image that was built elsewhere (10.12; the status is inferred).
    refusedRevisionSources: ["internal_docker"],
  }),
  internal_template: source("internal_template"),
};
