/** Updates a deployment: sends what changed, if anything, and waits for the new revision. */
import { guard } from "./identity";
import { type Plan, planUpdate } from "./plan";
import { reconcile } from "./reconcile";
import type { Context } from "./context";
import { type Declared, deployedAs, type State, UnfinishedError } from "./state";

/** @throws UnfinishedError with the state, if the service accepted the change but its rollout did not succeed */
export async function update(
  context: Context,
  id: string,
  before: State,
  declared: Declared,
): Promise<State> {
  await guard("write", before, context);
  const { run, claimant, dialect } = context;
  run.claim(deployedAs(id, before.observed), claimant.resource, "keeps");
  const plan = planUpdate(before, declared, dialect);
  const work = () =>
    reconcile(context, { id, before, declared }).catch((error: unknown) => {
      throw error instanceof UnfinishedError ? uncounted(error, plan, before) : error;
    });
  return run.keepReplaced(claimant, () => run.markResult(work, before));
}

/** The engine keeps the inputs of the last update that succeeded, so the outputs keep its generation too. */
function uncounted(error: UnfinishedError, { kind }: Plan, { generation }: State): UnfinishedError {
  const { message, id, state, cause } = error;
  const { rollout } = state.private;
  const marked = rollout && kind === "revision" ? { ...rollout, isUncounted: true } : rollout;
  const counted = { ...state, generation, private: { ...state.private, rollout: marked } };
  return new UnfinishedError(message, id, counted, { cause });
}
