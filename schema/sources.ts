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

/**
 * The same for the types of programs, which also keep the settings of a customer's own cluster away from sources that only run in
 * the service's cloud, and the sizes of that cloud away from containers.
 */
export const typedSourcesOf: typeof sourcesOf = {
  ...sourcesOf,
  "sourceConfig.resourceSpec": ["codehost", "external_container"],
  "sourceConfig.deploymentTier": ["codehost", "internal_container", "internal_source", "internal_template"],
  "sourceConfig.listenerId": ["external_container"],
  "sourceConfig.listenerConfig": ["external_container"],
};

/** The fields that the types require for a source. */
export const typedRequired: Partial<Readonly<Record<Source, readonly string[]>>> = {
  codehost: ["sourceConfig.integrationId", "sourceConfig.repoUrl", "sourceRevisionConfig.graphConfigPath"],
  external_container: ["sourceRevisionConfig.imageUri"],
};
