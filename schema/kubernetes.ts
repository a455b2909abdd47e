/**
 * Members of `resourceSpec` that belong to the cluster orchestrator. Their spelling is the orchestrator's own,
 * here as on the wire, and what is inside the object-valued members is data that nobody here looks into.
 * Specification, section 2.6.
 */
import { z } from "zod";

/** An object whose keys are data: never renamed, never checked. */
const anyObject = z.record(z.string(), z.unknown());
const text = z.string();

export const VolumeMount = z.strictObject({
  name: text.optional().describe("Name of the volume."),
  mountPath: text.optional().describe("Path in the container."),
  subPath: text.optional().describe("Path in the volume to mount instead of its root."),
  mountPropagation: text
    .optional()
    .describe(
      "How mounts spread between host and container: `None`, `HostToContainer` or `Bidirectional`. Default: `None`.",
    ),
  subPathExpr: text.optional().describe("As `subPath`, with `$(NAME)` for variables of the container."),
  readOnly: z.boolean().optional().describe("Mount it without the right to write. Default: false."),
});

export const Volume = z.strictObject({
  name: text.optional().describe("Name that mounts refer to."),
  configMap: anyObject.optional().describe("A config map as files."),
  secret: anyObject.optional().describe("A secret as files."),
  emptyDir: anyObject.optional().describe("An empty folder that lives as long as the pod."),
  persistentVolumeClaim: anyObject.optional().describe("A claim of storage that outlives the pod."),
  nfs: anyObject.optional().describe("A folder of a file server."),
  projected: anyObject.optional().describe("Several sources in one folder."),
  downwardAPI: anyObject.optional().describe("The pod's own metadata as files."),
  csi: anyObject.optional().describe("Storage of a driver of the cluster."),
});

export const EnvironmentVariable = z.strictObject({
  name: text.optional().describe("Name of the variable."),
  value: text.optional().describe("Its value, in clear."),
  valueFrom: anyObject.optional().describe("Where its value comes from."),
});

export const Container = z.strictObject({
  name: text.optional().describe("Name of the container."),
  image: text.optional().describe("Image with tag or digest."),
  imagePullPolicy: text.optional().describe("When the image is pulled: `Always`, `IfNotPresent` or `Never`."),
  workingDir: text.optional().describe("Working directory. Default: the image's."),
  restartPolicy: text
    .optional()
    .describe("When the container is started again: `Always` makes an init container a sidecar."),
  command: z.array(text).optional().describe("Command in place of the image's entry point."),
  args: z.array(text).optional().describe("Arguments of the command."),
  env: z.array(EnvironmentVariable).optional().describe("Environment of the container."),
  envFrom: z.array(anyObject).optional().describe("Sources whose entries all become variables."),
  resources: z
    .strictObject({
      limits: anyObject.optional().describe("The most it may use: `{ cpu: 500m, memory: 256Mi }`."),
      requests: anyObject.optional().describe("What is kept free for it: `{ cpu: 100m, memory: 128Mi }`."),
    })
    .optional()
    .describe("What the container asks for and may use."),
  volumeMounts: z.array(VolumeMount).optional().describe("Where the container mounts the volumes."),
  securityContext: anyObject.optional().describe("Rights of the container."),
});

export const ImagePullSecret = z.strictObject({ name: text.describe("Name of the secret in the cluster.") });
