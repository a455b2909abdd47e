/** Updates a deployment: sends what changed, if anything, and waits for the new revision. */
import { DeletedError, DeploymentError } from "../errors";
import { refuseBlindKey, refuseElsewhere } from "./identity";
import { othersIn, withoutIgnored, withOthers } from "./keep";
import type { Before } from "./normalized";
import { patchFor } from "./patch";
import { type Plan, planUpdate } from "./plan";
import { type Accepted, rollOut } from "./rollout";
import { send } from "./send";
import type { Context } from "./context";
import type { Observed } from "./service";
import {
  type Declared,
  deployedAs,
  revisionsIn,
  type State,
  UnfinishedError,
  withoutSecretValues,
} from "./state";
import * as texts from "./wait-messages";

/** @throws UnfinishedError with the state, if the service accepted the change but its rollout did not succeed */
export async function update(context: Context, id: string, state: State, declared: Declared): Promise<State> {
  refuseElsewhere(state, context);
  const { run, claimant, dialect } = context;
  run.claim(deployedAs(id, state.observed), claimant.resource, "keeps");
  const plan = planUpdate(state, declared, dialect);
  const work = async () => {
    if (plan.kind === "none" && !plan.resumes) return unchanged(context, state, declared);
    const accepted =
      plan.kind === "none"
        ? await resumed(context, id, state, declared)
        : await change(context, id, plan, state, declared);
    return rollOut(context, accepted, state);
  };
  const counting = () =>
    work().catch((error: unknown) => {
      throw error instanceof UnfinishedError ? uncounted(error, plan, state) : error;
    });
  return run.keepReplaced(claimant, () => run.markResult(counting, state));
}

/** The engine keeps the inputs of the last update that succeeded, so the outputs keep its generation too. */
function uncounted(error: UnfinishedError, { kind }: Plan, { generation }: State): UnfinishedError {
  const { message, id, state, cause } = error;
  const { rollout } = state.private;
  const marked = rollout && kind === "revision" ? { ...rollout, isUncounted: true } : rollout;
  const counted = { ...state, generation, private: { ...state.private, rollout: marked } };
  return new UnfinishedError(message, id, counted, { cause });
}

async function change(
  context: Context,
  id: string,
  plan: Plan,
  state: State,
  declared: Declared,
): Promise<Accepted> {
  const { arguments: args } = declared;
  const { rollout: unfinished } = state.private;
  const makesRevision = plan.kind === "revision";

  const draft = patchFor(plan, args, context.dialect);
  const others = othersIn(draft, state, context);
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isLate = makesRevision && unfinished?.revision === null;
  const isRead = isLate || others.mayLose || others.isIgnored;
  const shown = isRead ? await context.service.read(id) : undefined;
  const { patch, intended } =
    shown === undefined
      ? { patch: draft, intended: args }
      : withOthers(context, others, plan, state, args, shown);

  const before = beforeOf(state, isLate ? shown : undefined);
  const sent = await send(context, id, { declared, intended, patch, before, makesRevision }).catch(
    async (error: unknown) => {
      // A key of another tenant does not see the deployment, which therefore does not count as deleted.
      if (error instanceof DeletedError) await refuseBlindKey(context, state);
      throw error;
    },
  );
  const written = { ...sent.written, sent: withoutIgnored(sent.written.sent, context) };
  return { ...sent, written, rollout: makesRevision ? sent.rollout : unfinished };
}

/** Nothing to send, but an earlier rollout to wait for. */
async function resumed(context: Context, id: string, state: State, declared: Declared): Promise<Accepted> {
  const rollout = state.private.rollout!;
  const observed = await context.service.read(id);
  if (observed === undefined) {
    const isCreation = rollout.previous.length === 0;
    throw isCreation ? new DeploymentError(texts.notListed) : new DeletedError();
  }
  return { declared, observed, written: { sent: {}, before: beforeOf(state) }, rollout, remembered: {} };
}

/** Nothing to send, and nothing to wait for. */
function unchanged({ secretPaths }: Context, state: State, declared: Declared): State {
  return {
    ...state,
    ...declared,
    private: withoutSecretValues({ ...state.private, rollout: undefined }, secretPaths),
  };
}

/** @param shown the deployment as just read, if it was */
function beforeOf(state: State, shown?: Observed): Before {
  const { arguments: args, observed, private: remembered } = state;
  const revisions = [...revisionsIn(observed), ...(shown ? revisionsIn(shown) : [])];
  const { normalizations } = remembered;
  return {
    arguments: args,
    updatedAt: observed.updatedAt,
    revisions: [...new Set(revisions)],
    normalizations,
  };
}
