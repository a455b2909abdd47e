import { describe, expect, it } from "vitest";
import { deployment, wireName, type Field, type Fields } from "../../../schema/fields";

/** The specification's own lists: sections 2.3, 2.4 and 2.6. */
const sourceConfig =
  "integration_id repo_url build_on_push custom_url resource_spec listener_id listener_config install_command build_command";
const limited = (...names: string[]) => names.flatMap((name) => [name, name.replace(/(_mb)?$/, "_limit$1")]);
const resourceSpec = [
  ...["", "queue_", "orchestrator_"].flatMap((prefix) => [`${prefix}min_scale`, `${prefix}max_scale`]),
  ...["", "queue_", "orchestrator_", "executor_", "redis_", "db_"].flatMap((prefix) =>
    limited(`${prefix}cpu`, `${prefix}memory_mb`),
  ),
  ...["db_storage_gi", "db_max_connections", "labels", "annotations", "service_account_name"],
  ...["image_pull_secrets", "volumes", "volume_mounts", "init_containers", "sidecars"],
];

const wireNames = (fields: Fields) => Object.keys(fields).map(wireName).sort();
const { fields: config } = deployment.sourceConfig;

describe("the table of fields", () => {
  it("has the specification's settings of a source, what is chosen on creation, and what the public service has besides", () => {
    const more = ["deployment_type", "template_id", "route_through_gateway", "deployment_tier"];
    const names = [...sourceConfig.split(" "), ...more];
    expect(wireNames(config)).toEqual(names.sort());
  });

  it("has the forty fields of a resource specification, and those of the core API", () => {
    expect(resourceSpec).toHaveLength(40);
    const core = limited("core_cpu", "core_memory_mb");
    expect(wireNames(config.resourceSpec.fields)).toEqual([...resourceSpec, ...core].sort());
  });

  it("has the arguments of the contract", () => {
    expect(Object.keys(deployment)).toEqual([
      ...["name", "source", "sourceConfig", "sourceRevisionConfig", "sourceDirectory", "revisionSource"],
      ...["secrets", "secretReferences", "displayName", "shareable", "triggers", "adopt", "ready"],
      ...["skipAwait", "deleteTracingProject"],
    ]);
  });

  it("marks as secret the values of secrets (K28)", () => {
    const secret = everyField(deployment).filter(([, field]) => field.kind === "leaf" && field.secret);
    expect(secret.map(([path]) => path)).toEqual(["secrets"]);
  });

  it("lets a change of the specification's settings make no revision, and one of its revision fields make one", () => {
    const kinds = (fields: Fields) =>
      new Set(everyField(fields).flatMap(([, field]) => (field.kind === "leaf" ? [field.change] : [])));
    const { deploymentType, templateId, ...settings } = config;
    expect(kinds(settings)).toEqual(new Set(["settings"]));
    expect([deploymentType.change, templateId.change]).toEqual(["replacement", "replacement"]);
    expect(kinds(deployment.sourceRevisionConfig.fields)).toEqual(new Set(["revision"]));
    expect([deployment.name.change, deployment.source.change]).toEqual(["replacement", "replacement"]);
  });
});

const { repoUrl } = config;
const { repoRef, imageUri } = deployment.sourceRevisionConfig.fields;
const commit = "0123456789abcdef0123456789abcdef01234567";

it.each([
  [repoUrl, "https://code.example.com/acme/chat", "https://code.example.com/acme/chat.git", true],
  [repoUrl, "https://code.example.com/acme/chat.git", "https://code.example.com/acme/chat/", true],
  [repoUrl, "https://code.example.com/acme/chat", "https://code.example.com/acme/chat2", false],
  [repoRef, "main", commit, true],
  [repoRef, "refs/tags/v1.4.2", `${commit}${commit.slice(0, 24)}`, true],
  [repoRef, "main", "develop", false],
  [repoRef, commit, commit.replace("0", "1"), false],
  [imageUri, "registry.example.com/chat:1", `registry.example.com/chat:1@sha256:${"a".repeat(64)}`, true],
  [imageUri, "registry.example.com/chat:1", `registry.example.com/chat:12@sha256:${"a".repeat(64)}`, false],
  [imageUri, "registry.example.com/chat:1", "registry.example.com/chat:2", false],
] as const)("what the service resolves %#: %s", (field, declared, observed, expected) => {
  expect(field.resolvesTo?.(declared, observed, {})).toBe(expected);
});

function everyField(table: Fields, at = ""): [string, Field][] {
  return Object.entries(table).flatMap(([name, field]): [string, Field][] => [
    [at + name, field],
    ...(field.kind === "group" ? everyField(field.fields, `${at}${name}.`) : []),
  ]);
}
