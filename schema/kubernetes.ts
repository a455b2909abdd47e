/** The parts of `resourceSpec` in the spelling of Kubernetes. Objects inside them are not checked. Specification, section 2.6. */
import { z } from "zod";
import { Image } from "./images";

/** An object whose keys are neither renamed nor checked. */
const anyObject = z.record(z.string(), z.unknown());
const text = z.string();

export const VolumeMount = z.strictObject({
  name: text.optional().describe("Name of the volume."),
  mountPath: text.optional().describe("Path in the container."),
  subPath: text.optional().describe("Path in the volume to mount instead of its root."),
  mountPropagation: text
    .optional()
    .describe(
      "How mounts propagate between host and container: `None`, `HostToContainer` or `Bidirectional`. Default: `None`.",
    ),
  subPathExpr: text
    .optional()
    .describe("Like `subPath`, with `$(NAME)` for the container's environment variables."),
  readOnly: z.boolean().optional().describe("Whether the mount is read-only. Default: false."),
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
  csi: anyObject.optional().describe("Storage of a driver in the cluster."),
});

export const EnvironmentVariable = z.strictObject({
  name: text.optional().describe("Name of the variable."),
  value: text.optional().describe("Its value, in plain text."),
  valueFrom: anyObject.optional().describe("Where its value comes from."),
});

export const ContainerResources = z.strictObject({
  limits: anyObject.optional().describe("Upper limits: `{ cpu: 500m, memory: 256Mi }`."),
  requests: anyObject.optional().describe("What is reserved for it: `{ cpu: 100m, memory: 128Mi }`."),
});

export const Container = z.strictObject({
  name: text.optional().describe("Name of the container."),
  image: Image.optional().describe("Image with tag or digest."),
  imagePullPolicy: text.optional().describe("When the image is pulled: `Always`, `IfNotPresent` or `Never`."),
  workingDir: text.optional().describe("Working directory. Default: the image's."),
  restartPolicy: text
    .optional()
    .describe("When to restart the container. `Always` makes an init container a sidecar."),
  command: z.array(text).optional().describe("Command in place of the image's entry point."),
  args: z.array(text).optional().describe("Arguments of the command."),
  env: z.array(EnvironmentVariable).optional().describe("Environment of the container."),
  envFrom: z.array(anyObject).optional().describe("Sources whose entries all become environment variables."),
  resources: ContainerResources.optional().describe(
    "The resources that the container requests, and its limits.",
  ),
  volumeMounts: z.array(VolumeMount).optional().describe("Where the container mounts the volumes."),
  securityContext: anyObject.optional().describe("Security settings of the container."),
});

export const ImagePullSecret = z.strictObject({ name: text.describe("Name of the secret in the cluster.") });
