import { shownAfterWrite } from "../../provider/deployment/shown";
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
  const shown = shownAfterWrite({ args, before: undefined, live: observed, dialect }, args, observed);
  return { ...declared, observed: outputsFrom(observed), private: { ...shown, ...more } };
}
