import { seenAfter } from "../../provider/deployment/baseline-record";
import type { PrivateState } from "../../provider/deployment/private-state";
import type { Observed } from "../../provider/deployment/service";
import { type Declared, outputsFrom, type State } from "../../provider/deployment/state";
import type { Dialect } from "../../provider/dialects";

/** The state that a creation leaves behind, if the service answered like this. */
export function stateOf(
  declared: Declared,
  observed: Observed,
  { dialect }: { dialect: Dialect },
  more: Partial<PrivateState> = {},
): State {
  const { arguments: args } = declared;
  const seen = seenAfter({ args, before: undefined, observed, dialect }, args, observed);
  return { ...declared, observed: outputsFrom(observed), private: { seen, ...more } };
}
