/** The values of enumerated fields. Does not import zod, because every program loads the dialects. */
export const sources = [
  "codehost",
  "external_container",
  "internal_container",
  "internal_source",
  "internal_template",
] as const;
export type Source = (typeof sources)[number];

export const revisionSources = ["codehost", "internal_container", "internal_source"] as const;

/**
 * The types of deployments: first the words that users know, then those of the wire. The words and the types with `zero`
 * exist only on the public service, which may have added more.
 */
export const deploymentTypes = [
  ...(["serverless", "dedicated"] as const),
  ...(["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"] as const),
];

/** The resource options that a manifest accepts, with Pulumi's names. */
export const optionNames = [
  ...(["protect", "retainOnDelete", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges"] as const),
  ...(["dependsOn", "customTimeouts", "aliases"] as const),
];

/** The statuses of deployments (specification, section 3). Newer services may report others. */
export const deploymentStatuses: readonly string[] =
  "AWAITING_DATABASE READY UNUSED AWAITING_DELETE AWAITING_FINAL_DELETE UNKNOWN".split(" ");

/** The sizes of the public service, by family. It may have added more. */
export const deploymentTiers = [
  ...(["SERVERLESS_S", "SERVERLESS_M", "SERVERLESS_L"] as const),
  ...(["DEDICATED_S", "DEDICATED_M", "DEDICATED_L"] as const),
];
