import type { ObjectShape, Shape } from "../../shape";
import * as base from "../fields";

/** Section 6. Where the service's schema has no bound, below zero is refused all the same (inferred). */

const { listOf, object, required } = base;

/** In cores; the public schema has bounds for these components and for no other. */
const cores = (name: string): Record<string, Shape> => ({
  [name]: { kind: "number", integer: false, min: 0.1, max: 8, nullable: true },
  [`${name}_limit`]: { kind: "number", integer: false, min: 0.1, max: 16, nullable: true },
});

const requiredText: Shape = { kind: "string", required: true };
const texts: Shape = { kind: "free", of: { kind: "string" }, nullable: true };

const container = object({
  ...base.container.fields,
  name: requiredText,
  image: requiredText,
  env: listOf(object({ name: requiredText, value: base.text, valueFrom: base.free })),
  resources: { ...object({ limits: texts, requests: texts }), nullable: true },
});

export const resourceSpec = (uncapped: boolean): ObjectShape =>
  object({
    ...base.resourceSpec.fields,
    ...(uncapped ? {} : { ...cores("cpu"), ...cores("queue_cpu"), ...cores("redis_cpu") }),
    labels: texts,
    annotations: texts,
    image_pull_secrets: listOf(object({ name: required<Shape>({ kind: "string" }) })),
    init_containers: listOf(container),
    sidecars: listOf(container),
  });
