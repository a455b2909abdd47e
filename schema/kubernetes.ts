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
  name: text.optional(),
  mountPath: text.optional(),
  subPath: text.optional(),
  mountPropagation: text.optional(),
  subPathExpr: text.optional(),
  readOnly: z.boolean().optional(),
});

export const Volume = z.strictObject({
  name: text.optional(),
  configMap: anyObject.optional(),
  secret: anyObject.optional(),
  emptyDir: anyObject.optional(),
  persistentVolumeClaim: anyObject.optional(),
  nfs: anyObject.optional(),
  projected: anyObject.optional(),
  downwardAPI: anyObject.optional(),
  csi: anyObject.optional(),
});

const EnvironmentVariable = z.strictObject({
  name: text.optional(),
  value: text.optional(),
  valueFrom: anyObject.optional(),
});

export const Container = z.strictObject({
  name: text.optional(),
  image: text.optional(),
  imagePullPolicy: text.optional(),
  workingDir: text.optional(),
  restartPolicy: text.optional(),
  command: z.array(text).optional(),
  args: z.array(text).optional(),
  env: z.array(EnvironmentVariable).optional(),
  envFrom: z.array(anyObject).optional(),
  resources: z.strictObject({ limits: anyObject.optional(), requests: anyObject.optional() }).optional(),
  volumeMounts: z.array(VolumeMount).optional(),
  securityContext: anyObject.optional(),
});

export const ImagePullSecret = z.strictObject({ name: text });

export type VolumeMount = z.infer<typeof VolumeMount>;
export type Volume = z.infer<typeof Volume>;
export type Container = z.infer<typeof Container>;
export type ImagePullSecret = z.infer<typeof ImagePullSecret>;
