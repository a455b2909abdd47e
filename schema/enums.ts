/** The values that a field can have. Without zod, because every program loads the dialects. */
export const sources = [
  "codehost",
  "external_container",
  "internal_container",
  "internal_source",
  "internal_template",
] as const;
export type Source = (typeof sources)[number];

export const revisionSources = ["codehost", "internal_container", "internal_source"] as const;
/** Those with `zero` exist on the public service alone, which may have more by now. */
export const deploymentTypes = ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"] as const;
