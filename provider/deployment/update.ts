/** Updates a deployment: sends what changed, if anything, and waits for the new revision. */
import { refuseElsewhere } from "./identity";
import { reconcile } from "./reconcile";
import type { Context } from "./context";
import { type Declared, type State, UnfinishedError } from "./state";

/** @throws UnfinishedError with the state, if the service accepted the change but its rollout did not succeed */
export async function update(
  context: Context,
  id: string,
  before: State,
  declared: Declared,
): Promise<State> {
  refuseElsewhere(before, context);
  const { run, claimant } = context;
  run.claims.claim(id, claimant.resource, "keeps");
  const work = () =>
    reconcile(context, { id, before, declared }).catch((error: unknown) => {
      throw error instanceof UnfinishedError ? withOldGeneration(error, declared, before) : error;
    });
  return run.claims.keepReplaced(claimant, () => run.markResult(work, before));
}

/** After a failure the engine keeps the old inputs, so the outputs keep their `generation`, and the rollout gets a mark. */
function withOldGeneration(
  error: UnfinishedError,
  declared: Declared,
  { generation }: State,
): UnfinishedError {
  const { message, id, state, cause } = error;
  const { rollout } = state.private;
  const marked = rollout && declared.generation !== generation ? { ...rollout, isUncounted: true } : rollout;
  const counted = { ...state, generation, private: { ...state.private, rollout: marked } };
  return new UnfinishedError(message, id, counted, { cause });
}
