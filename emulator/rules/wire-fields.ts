import * as shape from "../json-shape";
import { each, listOf, nullable, object, required, type ObjectShape, type Shape } from "../json-shape";

/** The shapes that all dialects share, from the tables of the specification. */

export const text = nullable(shape.text);
export const nonEmpty: Shape = { kind: "string", minLength: 1, nullable: true };
export const uuid = nullable(shape.uuid);
export const flag = nullable(shape.flag);
export const free = nullable(shape.free);
export const texts = nullable(shape.texts);
export const requiredText = required(shape.text);
export const nullableList = (of: Shape): Shape => nullable(listOf(of));

const refused = (type: string, message: string): Shape => ({ kind: "refused", type, message });
export const readOnly = refused("read_only", "Field is read-only");
export const immutable = refused("immutable", "Field cannot be changed after creation");

export const secrets = listOf(object({ name: requiredText, value: requiredText }));
export const secretReferences = nullableList(
  object({ name: requiredText, secret_name: requiredText, secret_key: requiredText }),
);

const numberNames = [
  ...["min_scale", "max_scale", "cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
  ...["queue_min_scale", "queue_max_scale", "queue_cpu", "queue_cpu_limit"],
  ...["queue_memory_mb", "queue_memory_limit_mb"],
  ...["orchestrator_cpu", "orchestrator_cpu_limit", "orchestrator_memory_mb"],
  ...["orchestrator_memory_limit_mb", "orchestrator_min_scale", "orchestrator_max_scale"],
  ...["executor_cpu", "executor_cpu_limit", "executor_memory_mb", "executor_memory_limit_mb"],
  ...["redis_cpu", "redis_cpu_limit", "redis_memory_mb", "redis_memory_limit_mb"],
  ...["db_cpu", "db_cpu_limit", "db_memory_mb", "db_memory_limit_mb", "db_storage_gi", "db_max_connections"],
];

/** Cores can be fractions; megabytes, replicas and connections cannot. */
const resourceNumber = (name: string): Shape => ({
  kind: "number",
  integer: !name.includes("cpu"),
  min: 0,
  nullable: true,
});

const volume = object({
  name: text,
  ...each(free, "configMap", "secret", "emptyDir", "persistentVolumeClaim"),
  ...each(free, "nfs", "projected", "downwardAPI", "csi"),
});

const volumeMount = object({
  ...each(text, "name", "mountPath", "subPath", "mountPropagation", "subPathExpr"),
  readOnly: flag,
});

export const container = object({
  ...each(text, "name", "image", "imagePullPolicy", "workingDir", "restartPolicy"),
  command: texts,
  args: texts,
  env: nullableList(object({ name: text, value: text, valueFrom: free })),
  envFrom: nullableList(shape.free),
  resources: nullable(object({ limits: free, requests: free })),
  volumeMounts: nullableList(volumeMount),
  securityContext: free,
});

export const resourceSpec = object({
  ...Object.fromEntries(numberNames.map((name) => [name, resourceNumber(name)])),
  labels: free,
  annotations: free,
  service_account_name: text,
  image_pull_secrets: nullableList(object({ name: text })),
  volumes: nullableList(volume),
  volume_mounts: nullableList(volumeMount),
  init_containers: nullableList(container),
  sidecars: nullableList(container),
});

export const sourceConfigOf = (spec: ObjectShape) => ({
  integration_id: uuid,
  repo_url: nonEmpty,
  build_on_push: flag,
  custom_url: text,
  resource_spec: nullable(spec),
  listener_id: uuid,
  listener_config: nullable(object({ k8s_namespace: text })),
  install_command: text,
  build_command: text,
});

export const createRequest = (
  parts: Readonly<Record<"name" | "source" | "source_config" | "source_revision_config", Shape>>,
): Record<string, Shape> => ({
  ...Object.fromEntries(Object.entries(parts).map(([key, shape]) => [key, required(shape)])),
  secrets: required(secrets),
  secret_references: secretReferences,
});

/** What responses show inside `source_config`. */
export const nestedDefaults = (spec: ObjectShape) => ({
  resource_spec: { ...nullsOf(spec), min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 },
  listener_config: { k8s_namespace: null },
});

/** Every field as null, which is how a response shows what was never given. */
export function nullsOf({ fields }: Pick<ObjectShape, "fields">): Record<string, null> {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, null]));
}
