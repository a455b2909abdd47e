import { describe, expect, it } from "vitest";
import { deployment, wireName, type Field, type Fields } from "../../../schema/fields";

/** The specification's own lists: sections 2.3, 2.4 and 2.6. */
const sourceConfig = [
  "integration_id",
  "repo_url",
  "build_on_push",
  "custom_url",
  "resource_spec",
  "listener_id",
  "listener_config",
  "install_command",
  "build_command",
];
const resourceSpecNumbers = [
  ...["min_scale", "max_scale", "cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
  ...["queue_min_scale", "queue_max_scale", "queue_cpu", "queue_cpu_limit"],
  ...["queue_memory_mb", "queue_memory_limit_mb"],
  ...["orchestrator_cpu", "orchestrator_cpu_limit", "orchestrator_memory_mb"],
  ...["orchestrator_memory_limit_mb", "orchestrator_min_scale", "orchestrator_max_scale"],
  ...["executor_cpu", "executor_cpu_limit", "executor_memory_mb", "executor_memory_limit_mb"],
  ...["redis_cpu", "redis_cpu_limit", "redis_memory_mb", "redis_memory_limit_mb"],
  ...["db_cpu", "db_cpu_limit", "db_memory_mb", "db_memory_limit_mb", "db_storage_gi", "db_max_connections"],
];
const resourceSpecOthers = [
  ...["labels", "annotations", "service_account_name", "image_pull_secrets"],
  ...["volumes", "volume_mounts", "init_containers", "sidecars"],
];

const wireNames = (fields: Fields) => Object.keys(fields).map(wireName).sort();
const { fields: config } = deployment.sourceConfig;

describe("the table of fields", () => {
  it("has the specification's nine settings of a source, the tier that is chosen on creation, and the gateway", () => {
    expect(wireNames(config)).toEqual([...sourceConfig, "deployment_type", "route_through_gateway"].sort());
  });

  it("has the forty fields of a resource specification: 32 numbers and eight others", () => {
    expect(resourceSpecNumbers).toHaveLength(32);
    expect(resourceSpecOthers).toHaveLength(8);
    expect(wireNames(config.resourceSpec.fields)).toEqual(
      [...resourceSpecNumbers, ...resourceSpecOthers].sort(),
    );
  });

  it("has the arguments of the contract", () => {
    expect(Object.keys(deployment)).toEqual([
      ...["name", "source", "sourceConfig", "sourceRevisionConfig", "sourceDirectory", "revisionSource"],
      ...["secrets", "secretReferences", "triggers", "adopt", "ready", "skipAwait", "deleteTracingProject"],
    ]);
  });

  it("marks as secret the values of secrets (K28)", () => {
    const secret = everyField(deployment).filter(([, field]) => field.kind === "leaf" && field.secret);
    expect(secret.map(([path]) => path)).toEqual(["secrets"]);
  });

  it("lets a change of the specification's settings make no revision, and one of its revision fields make one", () => {
    const kinds = (fields: Fields) =>
      new Set(everyField(fields).flatMap(([, field]) => (field.kind === "leaf" ? [field.change] : [])));
    const { deploymentType, ...settings } = config;
    expect(kinds(settings)).toEqual(new Set(["settings"]));
    expect(deploymentType.change).toBe("replacement");
    expect(kinds(deployment.sourceRevisionConfig.fields)).toEqual(new Set(["revision"]));
    expect([deployment.name.change, deployment.source.change]).toEqual(["replacement", "replacement"]);
  });
});

describe("when a field is sent", () => {
  const sentWhen = (when: string) =>
    everyField(deployment).flatMap(([path, field]) =>
      field.kind === "leaf" && field.sent === when ? [path] : [],
    );

  it.each([
    ["onCreate", ["name", "source", "sourceConfig.deploymentType"]],
    ["onDelete", ["deleteTracingProject"]],
    ["withRevision", ["revisionSource"]],
    [
      "never",
      ["sourceDirectory", "triggers", "adopt", "ready.path", "ready.timeout", "ready.status", "skipAwait"],
    ],
  ])("is %s for a few, and otherwise with the creation and when it changed", (when, paths) => {
    expect(sentWhen(when)).toEqual(paths);
  });
});

describe("what the service resolves", () => {
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
  ] as const)("%#: %s", (field, declared, observed, expected) => {
    expect(field.resolvesTo?.(declared, observed, {})).toBe(expected);
  });
});

function everyField(table: Fields, at = ""): [string, Field][] {
  return Object.entries(table).flatMap(([name, field]): [string, Field][] => [
    [at + name, field],
    ...(field.kind === "group" ? everyField(field.fields, `${at}${name}.`) : []),
  ]);
}
