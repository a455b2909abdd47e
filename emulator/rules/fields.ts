import type { ObjectShape, Shape } from "../shape";

/** The shapes that are the same in every dialect, from the tables of the specification. */

export const text: Shape = { kind: "string", nullable: true };
export const uuid: Shape = { kind: "uuid", nullable: true };
export const flag: Shape = { kind: "boolean", nullable: true };
export const free: Shape = { kind: "free", nullable: true };
export const texts: Shape = { kind: "list", of: { kind: "string" }, nullable: true };

export const object = (fields: Record<string, Shape>): ObjectShape => ({ kind: "object", fields });
export const listOf = (of: Shape): Shape => ({ kind: "list", of, nullable: true });
export const choice = (...values: string[]): Shape => ({ kind: "choice", values });
export const required = <S extends Shape>(shape: S): S => ({ ...shape, required: true });
export const nullable = <S extends Shape>(shape: S): S => ({ ...shape, nullable: true });

export const refused = (type: string, message: string): Shape => ({ kind: "refused", type, message });
export const readOnly = refused("read_only", "Field is read-only");
export const immutable = refused("immutable", "Field cannot be changed after creation");

const requiredText: Shape = { kind: "string", required: true };

export const secret = object({ name: requiredText, value: requiredText });
export const secretReference = object({
  name: requiredText,
  secret_name: requiredText,
  secret_key: requiredText,
});

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

/** Parts of a core are sold; parts of a megabyte, of a replica or of a connection are not. */
const resourceNumber = (name: string): Shape => ({
  kind: "number",
  integer: !name.includes("cpu"),
  min: 0,
  nullable: true,
});

const volume = object({
  name: text,
  ...{ configMap: free, secret: free, emptyDir: free, persistentVolumeClaim: free },
  ...{ nfs: free, projected: free, downwardAPI: free, csi: free },
});

const volumeMount = object({
  ...{ name: text, mountPath: text, subPath: text, mountPropagation: text, subPathExpr: text },
  readOnly: flag,
});

export const container = object({
  ...{ name: text, image: text, imagePullPolicy: text, workingDir: text, restartPolicy: text },
  command: texts,
  args: texts,
  env: listOf(object({ name: text, value: text, valueFrom: free })),
  envFrom: listOf({ kind: "free" }),
  resources: nullable(object({ limits: free, requests: free })),
  volumeMounts: listOf(volumeMount),
  securityContext: free,
});

export const resourceSpec = object({
  ...Object.fromEntries(numberNames.map((name) => [name, resourceNumber(name)])),
  labels: free,
  annotations: free,
  service_account_name: text,
  image_pull_secrets: listOf(object({ name: text })),
  volumes: listOf(volume),
  volume_mounts: listOf(volumeMount),
  init_containers: listOf(container),
  sidecars: listOf(container),
});

/** All fields of a shape, each null in a response unless a default says otherwise. */
export function nullsOf(shape: ObjectShape): Record<string, null> {
  return Object.fromEntries(Object.keys(shape.fields).map((key) => [key, null]));
}
