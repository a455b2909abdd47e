/**
 * The sources that a field applies to, by path. Fields that are not listed apply to all sources. A dialect can restrict a
 * field further. Separate from the table of fields, because the dialects must not load zod.
 */
import type { Source } from "./enums";

export const sourcesOf: Readonly<Record<string, readonly Source[]>> = {
  "sourceConfig.integrationId": ["codehost"],
  "sourceConfig.repoUrl": ["codehost"],
  "sourceConfig.buildOnPush": ["codehost"],
  "sourceConfig.templateId": ["internal_template"],
  "sourceRevisionConfig.repoRef": ["codehost"],
  "sourceRevisionConfig.graphConfigPath": ["codehost", "internal_source"],
  "sourceRevisionConfig.imageUri": ["external_container", "internal_container"],
  "sourceRevisionConfig.sourceTarballPath": ["internal_source"],
  sourceDirectory: ["internal_source"],
  secretReferences: ["external_container"],
};
