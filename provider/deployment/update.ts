/** Updates a deployment: sends what changed, if anything, and waits for the new revision. */
import { DeletedError, DeploymentError } from "../errors";
import { generationAfter, planFor, resumesRollout } from "./diff";
import { refuseBlindKey, refuseElsewhere } from "./identity";
import {
  hiddenIn,
  ignoredIn,
  mayLose,
  unmanagedAfter,
  withIgnored,
  withoutIgnored,
  withUndeclared,
} from "./keep";
import type { Before } from "./normalized";
import { patchFor } from "./patch";
import type { Plan } from "./plan";
import { rolloutAfter, rollOut } from "./rollout";
import { send } from "./send";
import { type Context, claimantOf, resourceOf } from "./context";
import type { Observed } from "./service";
import { type Declared, deployedAs, withoutSecretValues, revisionsIn, type State } from "./state";
import { withUpload } from "./upload";
import * as texts from "./wait-messages";

/** @throws UnfinishedError with the state, if the service accepted the change but its rollout did not succeed */
export async function update(context: Context, id: string, state: State, checked: Declared): Promise<State> {
  refuseElsewhere(state, context);
  const { run, dialect } = context;
  run.claim(deployedAs(id, state.observed), resourceOf(context, checked.arguments), "keeps");
  const plan = planFor(state, checked.arguments, dialect);
  const declared = { ...checked, generation: generationAfter(plan, state, checked) };
  const work = async () => {
    if (plan.kind !== "none") return change(context, id, plan, state, declared);
    const resumes = resumesRollout(state, declared);
    return resumes ? resume(context, id, state, declared) : unchanged(context, state, declared);
  };
  return run.keepReplaced(claimantOf(context, checked.arguments), () => run.markResult(work, state));
}

async function change(
  context: Context,
  id: string,
  plan: Plan,
  state: State,
  declared: Declared,
): Promise<State> {
  const { service, dialect, log } = context;
  const { arguments: args } = declared;
  const makesRevision = plan.kind === "revision";
  const { rollout: unfinished, uploaded: last, takenOver } = state.private;

  const draft = patchFor(plan, args, dialect);
  const ignored = ignoredIn(draft, context);
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isLate = makesRevision && unfinished?.revision === null;
  const isRead = isLate || ignored.length > 0 || mayLose(draft, state, dialect);
  const shown = isRead ? await service.read(id) : undefined;

  for (const name of shown === undefined ? [] : hiddenIn(ignored, shown)) {
    log.warning(
      `${args.name}: \`ignoreChanges\` leaves the secret ${name} to others, but the service does not show its value: the last known ` +
        "value is sent",
    );
  }
  const intended = shown === undefined ? args : withIgnored(args, ignored, shown, state);
  const changed = patchFor(plan, intended, dialect);
  const kept =
    mayLose(changed, state, dialect) && shown !== undefined
      ? withUndeclared(changed, state.arguments, intended, shown, dialect, unmanagedAfter(state, intended))
      : changed;
  const { patch, declared: deployed, uploaded = last } = await withUpload(context, id, kept, args);

  const written = { sent: { ...patch }, before: beforeOf(state, isLate ? shown : undefined), makesRevision };
  const observed = await send(context, { id, patch, written, declared: intended }).catch(
    async (error: unknown) => {
      // A key of another tenant does not see the deployment, which therefore does not count as deleted.
      if (error instanceof DeletedError) await refuseBlindKey(context, state);
      throw error;
    },
  );

  const rollout = makesRevision
    ? rolloutAfter(context, args, observed, written.before.revisions)
    : unfinished;
  return rollOut(
    context,
    {
      declared: { ...declared, arguments: deployed },
      observed,
      written: { ...written, sent: withoutIgnored(written.sent, ignored) },
      rollout,
      remembered: { takenOver, unmanagedSecrets: unmanagedAfter(state, args), uploaded },
    },
    state,
  );
}

/** Nothing to send, but an earlier rollout to wait for. */
async function resume(context: Context, id: string, state: State, declared: Declared): Promise<State> {
  const { takenOver, uploaded } = state.private;
  const rollout = state.private.rollout!;
  const observed = await context.service.read(id);
  if (observed === undefined) {
    const isCreation = rollout.previous.length === 0;
    throw isCreation ? new DeploymentError(texts.notListed) : new DeletedError();
  }
  const written = { sent: {}, before: beforeOf(state) };
  const remembered = { takenOver, unmanagedSecrets: unmanagedAfter(state, declared.arguments), uploaded };
  return rollOut(context, { declared, observed, written, rollout, remembered }, state);
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
