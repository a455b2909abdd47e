/** An observed deployment as look-ups answer it: in the arguments' words, without what the service says is not set. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Observed } from "./service";
import { isObject, type Values } from "../values";

export function resultOf(observed: Observed): Values {
  const { sourceConfig, sourceRevisionConfig, secrets, secretReferences, ...rest } = observed;
  return {
    ...rest,
    sourceConfig: withoutNulls(fields.sourceConfig.fields, sourceConfig),
    sourceRevisionConfig: withoutNulls(fields.sourceRevisionConfig.fields, sourceRevisionConfig),
    secrets: secrets ?? {},
    secretReferences: secretReferences ?? {},
    repoCommitSha: sourceRevisionConfig["repoCommitSha"] ?? null,
    url: sourceConfig["customUrl"] ?? null,
  };
}

/** What is set, of the fields that the table knows; what is inside a field is data and stays as it is. */
export function withoutNulls(table: Fields, values: Values): Values {
  const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    if (value === null || value === undefined) return [];
    return [[name, field.kind === "group" && isObject(value) ? withoutNulls(field.fields, value) : value]];
  });
  return Object.fromEntries(entries);
}
