/** What a lookup returns of a deployment. */
import { setFields } from "../../schema/rows";
import { type Values, withoutAbsent } from "../../schema/tree";
import type { Observed } from "../deployment/service";
import { outputsFrom } from "../deployment/state";

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
