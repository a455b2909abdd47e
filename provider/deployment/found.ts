/** The state of a deployment that no program has declared so far: it is adopted or imported. */
import type { Values } from "../../schema/tree";
import { seenAsFound } from "./baseline";
import type { Context } from "./context";
import type { MadeWith, Rollout } from "./private-state";
import type { Observed } from "./service";
import { outputsFrom, type State } from "./state";

/** @param declared the arguments that it has, as far as they are declared */
export function stateAsFound(
  declared: { readonly arguments: Values; readonly generation: number },
  observed: Observed,
  context: Pick<Context, "dialect" | "secretPaths">,
  { madeWith, rollout }: { readonly madeWith?: MadeWith | undefined; readonly rollout?: Rollout | undefined },
): State {
  const seen = seenAsFound(declared.arguments, observed, context);
  return {
    ...declared,
    observed: outputsFrom(observed),
    private: { madeWith, rollout: rollout ?? firstRollout(observed), takenOver: true, seen },
  };
}

/** Whether an older revision runs than the newest one, whose values the service shows. */
export function runsOlder({ latestRevisionId, activeRevisionId }: Observed): boolean {
  return activeRevisionId !== null && latestRevisionId !== activeRevisionId;
}

/** If nothing of it runs yet, its first revision is unfinished work, whoever created it: a killed run, perhaps. */
function firstRollout({ latestRevisionId: revision, activeRevisionId }: Observed): Rollout | undefined {
  if (revision === null || activeRevisionId !== null) return undefined;
  return { revision, previous: [] };
}
