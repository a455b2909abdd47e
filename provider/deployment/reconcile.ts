/**
 * The road of every change: compares what is declared with the state before, sends the difference, waits for its rollout, and
 * records the state after it. A creation takes it after the POST, an adoption with the state as it was found.
 */
import { formatPath } from "../../schema/tree";
import { DeletedError, DeploymentError, messageOf } from "../errors";
import { seenAfter, seenFor } from "./baseline";
import { guard } from "./identity";
import { othersIn, withoutIgnored, withOthers } from "./keep";
import { laterIn, takenNow, withLater } from "./once-active";
import { patchFor } from "./patch";
import { type Plan, planUpdate } from "./plan";
import { type Accepted, rolloutAfter, rollOut } from "./rollout";
import { send } from "./send";
import type { Context } from "./context";
import type { Observed } from "./service";
import { type Declared, outputsFrom, revisionsIn, type State, UnfinishedError } from "./state";
import * as texts from "./wait-messages";

/**
 * @param before the state before
 * @param latest the deployment, if this operation has just read it
 * @throws UnfinishedError with the state, if the service accepted a change but its rollout did not succeed
 */
export async function reconcile(
  context: Context,
  id: string,
  before: State,
  declared: Declared,
  latest?: Observed,
): Promise<State> {
  const first = { ...declared, arguments: takenNow(declared.arguments, before.observed, before.arguments) };
  const state = await apply(context, id, before, first, latest);
  return first.arguments === declared.arguments ? state : complete(context, id, state, declared);
}

/** Sends what changed, if anything, and waits for the rollout. */
async function apply(
  context: Context,
  id: string,
  before: State,
  declared: Declared,
  latest?: Observed,
): Promise<State> {
  const plan = planUpdate(before, declared, context.dialect);
  if (plan.kind === "none" && !plan.resumes) return unchanged(context, before, declared);
  const accepted =
    plan.kind === "none"
      ? await resumed(context, id, before, declared, latest)
      : await change(context, id, plan, before, declared, latest);
  return rollOut(context, accepted, before);
}

/** Nothing to send, and nothing to wait for. */
function unchanged(context: Context, before: State, declared: Declared): State {
  const { private: remembered } = before;
  const seen = seenFor(declared.arguments, remembered, context);
  return { ...before, ...declared, private: { ...remembered, rollout: undefined, seen } };
}

/** Nothing to send, but an earlier rollout to wait for. */
async function resumed(
  { service }: Context,
  id: string,
  before: State,
  declared: Declared,
  latest?: Observed,
): Promise<Accepted> {
  const rollout = before.private.rollout!;
  const response = latest ?? (await service.read(id));
  if (response === undefined) {
    const isCreation = rollout.previous.length === 0;
    throw isCreation ? new DeploymentError(texts.notListed) : new DeletedError();
  }
  const previous = revisionsIn(before.observed);
  return { declared, sent: {}, makesRevision: false, response, previous, rollout };
}

async function change(
  context: Context,
  id: string,
  plan: Plan,
  before: State,
  declared: Declared,
  latest?: Observed,
): Promise<Accepted> {
  const { arguments: args } = declared;
  const { rollout: unfinished } = before.private;
  const makesRevision = plan.kind === "revision";

  const draft = patchFor(plan, args, context.dialect);
  const others = othersIn(draft, before, context);
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isLate = makesRevision && unfinished?.revision === null;
  const isRead = isLate || others.mayLose || others.isIgnored;
  const shown = latest ?? (isRead ? await context.service.read(id) : undefined);
  const { patch, intended } =
    shown === undefined
      ? { patch: draft, intended: args }
      : withOthers(context, others, plan, before, args, shown);

  const appeared = isLate && shown ? revisionsIn(shown) : [];
  const previous = [...new Set([...revisionsIn(before.observed), ...appeared])];
  const step = { declared, intended, patch, makesRevision, previous };
  const sent = await send(context, id, before, step).catch(async (error: unknown) => {
    // A key of another tenant does not see the deployment, which therefore does not count as deleted.
    if (error instanceof DeletedError) await guard("absent", before, context);
    throw error;
  });
  const rollout = makesRevision
    ? rolloutAfter(context, sent.declared.arguments, sent.response, previous)
    : unfinished;
  return { ...sent, sent: withoutIgnored({ ...sent.patch }, context), rollout };
}

/** Sends what a creation does not take, once its first revision is active, and waits for the rollout. */
export async function complete(
  context: Context,
  id: string,
  state: State,
  { arguments: args, generation }: Declared,
): Promise<State> {
  const later = laterIn(args, state.arguments);
  if (later.length === 0) return state;
  const names = later.map(formatPath).join(" and ");
  try {
    const before = await whenActive(context, id, state);
    if (before === undefined) {
      context.log.info(`no revision is active yet: the next \`pulumi up\` sends ${names}`);
      return state;
    }
    const declared = { arguments: withLater(before.arguments, args), generation };
    if (planUpdate(before, declared, context.dialect).kind !== "none")
      context.log.info(`sends ${names}, which a creation does not take`);
    // The option leaves later changes to others, not the first value.
    return await apply({ ...context, ignoreChanges: undefined }, id, before, declared);
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const next = `The deployment runs without the declared ${names}: the next \`pulumi up\` sends it`;
    throw new UnfinishedError(`${messageOf(error)}. ${next}`, id, state, { cause: error });
  }
}

/** Undefined if no revision is active. Reads the deployment if the state does not wait for its rollout. */
async function whenActive(context: Context, id: string, state: State): Promise<State | undefined> {
  if (typeof state.observed.activeRevisionId === "string") return state;
  const shown = await context.service.read(id);
  if (shown === undefined || shown.activeRevisionId === null) return undefined;
  const written = { sent: {}, makesRevision: false, shown, observed: shown };
  const seen = seenAfter(written, state.arguments, state, context);
  return { ...state, observed: outputsFrom(shown), private: { ...state.private, seen } };
}
