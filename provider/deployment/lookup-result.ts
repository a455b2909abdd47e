/** What a lookup returns of a deployment. */
import { rows } from "../../schema/rows";
import { treeOf, valueAt, type Values, withoutAbsent } from "../../schema/tree";
import type { Observed } from "./service";
import { outputsFrom } from "./state";

/** Converts an observed deployment to the result of a lookup, without fields that are not set. */
export function resultOf(observed: Observed): Values {
  const {
    sourceConfig,
    sourceRevisionConfig,
    secrets,
    secretReferences,
    latestRevisionReason: _,
    queuedBehind: ____,
    owner: __,
    spokenDialect: ___,
    displayName,
    shareable,
    ...rest
  } = observed;
  return {
    ...rest,
    ...withoutAbsent(outputsFrom(observed)),
    ...setFields({ sourceConfig, sourceRevisionConfig, displayName, shareable }),
    secrets: secrets ?? {},
    secretReferences: secretReferences ?? {},
  };
}

/** Only the table's fields that are set. Values inside a field are data, and stay unchanged. */
export function setFields(values: Values): Values {
  return treeOf(
    rows.map(({ path, field }) => {
      const value = valueAt(values, path) ?? undefined;
      return [path, value !== undefined && field.kind === "group" ? {} : value];
    }),
  );
}
