/**
 * The road of every change: compares what is declared with the state before, sends the difference, waits for its rollout, and
 * records the state after it. A creation takes it after the POST, an adoption with the state as it was found.
 */
import { formatPath } from "../../schema/tree";
import { DeletedError, DeploymentError, messageOf } from "../errors";
import { seenFor } from "./baseline";
import { guard } from "./identity";
import { othersIn, withoutIgnored, withOthers } from "./keep";
import { laterIn, takenNow, withLater } from "./once-active";
import { patchFor } from "./patch";
import { type Plan, planUpdate } from "./plan";
import { type Accepted, rolloutAfter, rollOut } from "./rollout";
import { outcomeOfRevision } from "./revision-outcome";
import { send } from "./send";
import type { Context } from "./context";
import { isDeleting, type Observed } from "./service";
import { type Declared, revisionsIn, type State, UnfinishedError } from "./state";
import * as texts from "./wait-messages";

/** What leads a deployment from the state before to what is declared. */
export interface Step {
  readonly id: string;
  readonly before: State;
  readonly declared: Declared;
  /** The deployment, if this operation has just read it. */
  readonly latest?: Observed;
}

/** @throws UnfinishedError with the state, if the service accepted a change but its rollout did not succeed */
export async function reconcile(context: Context, step: Step): Promise<State> {
  const { id, before, declared } = step;
  const args = takenNow(declared.arguments, before.observed, before.arguments);
  const isWhole = args === declared.arguments;
  const state = await apply(context, { ...step, declared: { ...declared, arguments: args } }, !isWhole);
  return isWhole ? state : complete(context, id, state, declared);
}

/**
 * Sends what changed, if anything, and waits for the rollout.
 *
 * @param needsActive whether something waits for an active revision, and the state knows of none
 */
async function apply(context: Context, step: Step, needsActive = false): Promise<State> {
  const { before, declared } = step;
  const plan = planUpdate(before, declared, context.dialect);
  if (plan.kind === "none" && !plan.resumes && !needsActive) return unchanged(context, before, declared);
  const accepted = plan.kind === "none" ? await resumed(context, step) : await change(context, plan, step);
  return rollOut(context, accepted, before);
}

/** Nothing to send, and nothing to wait for: with `skipAwait`, a rollout stays unfinished. */
function unchanged(context: Context, before: State, declared: Declared): State {
  const { private: remembered } = before;
  const seen = seenFor(declared.arguments, remembered, context);
  return { ...before, ...declared, private: { ...remembered, seen } };
}

/** Nothing to send, but an earlier rollout to wait for: that of the state, or the first one if no revision is active. */
async function resumed(context: Context, { id, before, declared, latest }: Step): Promise<Accepted> {
  const { rollout: known } = before.private;
  const response = latest ?? (await context.service.read(id));
  if (response === undefined) {
    if (known?.previous.length === 0) throw new DeploymentError(texts.notListed);
    await guard("absent", before, context);
    throw new DeletedError();
  }
  if (isDeleting(response)) throw new DeploymentError(texts.isDeleting(response));
  const isFirst = known === undefined && response.activeRevisionId === null;
  const rollout = isFirst ? rolloutAfter(context, declared.arguments, response, []) : known;
  const previous = revisionsIn(before.observed);
  return { declared, sent: {}, makesRevision: false, response, previous, rollout };
}

async function change(
  context: Context,
  plan: Plan,
  { id, before, declared, latest }: Step,
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
    ? rolloutAfter(context, sent.declared.arguments, sent.response, sent.previous)
    : unfinished;
  return { ...sent, sent: withoutIgnored({ ...sent.patch }, context), rollout };
}

/** Sends what a creation does not take, once its first revision is active, and waits for the rollout. */
export async function complete(
  context: Context,
  id: string,
  before: State,
  { arguments: args, generation }: Declared,
): Promise<State> {
  const later = laterIn(args, before.arguments);
  if (later.length === 0) return before;
  const names = later.map(formatPath).join(" and ");
  const { activeRevisionId: active, latestRevisionStatus: status } = before.observed;
  if (typeof active !== "string") {
    if (outcomeOfRevision(status ?? "", context.dialect) === "failed")
      throw new UnfinishedError(texts.neverActive(names, status!), id, before);
    context.log.info(`no revision is active yet: the next \`pulumi up\` sends ${names}`);
    return before;
  }
  const declared = { arguments: withLater(before.arguments, args), generation };
  if (planUpdate(before, declared, context.dialect).kind !== "none")
    context.log.info(`sends ${names}, which the service does not accept on creation`);
  try {
    return await apply(context, { id, before, declared });
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const next = `. The deployment runs without the declared ${names}: the next \`pulumi up\` sends it`;
    const text = `${messageOf(error)}${error instanceof DeletedError ? "" : next}`;
    throw new UnfinishedError(text, id, before, { cause: error });
  }
}
