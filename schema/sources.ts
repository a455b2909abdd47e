/**
 * Which sources a field has a meaning for, on any service, by its path. Fields that are not here are for all sources; a dialect
 * can take a field for fewer. Beside the table of fields and not in it, because the dialects read it without zod.
 */
import type { Source } from "./enums";

export const sourcesOf: Readonly<Record<string, readonly Source[]>> = {
  "sourceConfig.integrationId": ["codehost"],
  "sourceConfig.repoUrl": ["codehost"],
  "sourceConfig.buildOnPush": ["codehost"],
  "sourceRevisionConfig.repoRef": ["codehost"],
  "sourceRevisionConfig.graphConfigPath": ["codehost", "internal_source"],
  "sourceRevisionConfig.imageUri": ["external_container", "internal_container"],
  "sourceRevisionConfig.sourceTarballPath": ["internal_source"],
  sourceDirectory: ["internal_source"],
  secretReferences: ["external_container"],
};

/** The paths of the fields that mean nothing for a source. */
export function foreignTo(source: Source): string[] {
  return Object.keys(sourcesOf).filter((path) => !sourcesOf[path]!.includes(source));
}
