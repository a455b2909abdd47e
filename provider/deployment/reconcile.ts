/**
 * Carries out the steps that lead from the state before to what is declared, and records the state after each. A creation begins
 * with the state after its POST, an adoption with the state as it was found.
 */
import { formatPath } from "../../schema/tree";
import { DeletedError, DeploymentError, messageOf } from "../errors";
import { seenFor } from "./baseline";
import { guard } from "./identity";
import { holdsOthers, withoutIgnored, withOthers } from "./keep";
import { isOnceActive, withOnceActive } from "./field-change";
import { patchFor } from "./patch";
import { type Accepted, rolloutAfter, rollOut } from "./rollout";
import { outcomeOfRevision } from "./revision-outcome";
import { send } from "./send";
import { planUpdate, type Step } from "./steps";
import type { Context } from "./context";
import { isDeleting, type Observed } from "./service";
import { type Declared, revisionsIn, type State, UnfinishedError } from "./state";
import * as texts from "./wait-messages";

interface Work {
  readonly id: string;
  readonly before: State;
  readonly declared: Declared;
  /** The deployment, if this operation has just read it. */
  readonly latest?: Observed;
}

/**
 * @param isContinued whether this operation has made or changed the deployment already, and waited for it
 * @throws UnfinishedError with the state, if the service accepted a change but its rollout did not succeed
 */
export async function reconcile(context: Context, work: Work, isContinued = false): Promise<State> {
  const { id, before, declared } = work;
  const { steps } = planUpdate(before, declared, context.dialect);
  const [step, later] = isContinued ? steps.filter(({ kind }) => kind !== "none") : steps;
  const { arguments: args, generation } = declared;
  if (step === undefined) {
    const seen = seenFor(args, before.private, context);
    return { ...before, ...declared, private: { ...before.private, seen } };
  }
  if (step.needsActive) return leftOpen(context, id, before, step);
  const now = later ? withOnceActive(args, args, before.arguments) : args;
  const state = await carriedOut(
    context,
    { ...work, declared: { arguments: now, generation } },
    step,
    isContinued,
  );
  if (later === undefined) return state;
  // The folder is as it was uploaded.
  const rest = withOnceActive(state.arguments as Declared["arguments"], args, args);
  return reconcile(context, { id, before: state, declared: { arguments: rest, generation } }, true);
}

/** The state after the step. Once the operation has made or changed the deployment, every failure carries its state. */
async function carriedOut(context: Context, work: Work, step: Step, isContinued: boolean): Promise<State> {
  const { id, before } = work;
  const names = namesOf(step);
  if (isContinued && names !== "")
    context.log.info(`sends ${names}, which the service does not accept on creation`);
  try {
    const accepted = await (step.kind === "none" ? earlierWrite : newWrite)(context, work, step);
    return await rollOut(context, accepted, before);
  } catch (error) {
    if (!isContinued || error instanceof UnfinishedError) throw error;
    const isGone = error instanceof DeletedError;
    const text = isGone ? messageOf(error) : `${messageOf(error)}. ${texts.stillMissing(names)}`;
    throw new UnfinishedError(text, id, before, { cause: error });
  }
}

/** What needs an active revision, and finds none. */
function leftOpen({ dialect, log }: Context, id: string, before: State, step: Step): State {
  const { latestRevisionStatus: status } = before.observed;
  if (outcomeOfRevision(status ?? "", dialect) === "failed")
    throw new UnfinishedError(texts.neverActive(namesOf(step), status!), id, before);
  log.info(`no revision is active yet: the first \`pulumi up\` after one is active sends ${namesOf(step)}`);
  return before;
}

function namesOf({ changes }: Step): string {
  const paths = changes.map(({ path }) => path).filter(isOnceActive);
  return paths.map(formatPath).join(" and ");
}

/** Nothing to send, but an earlier rollout to wait for: that of the state, or the first one if no revision is active. */
async function earlierWrite(context: Context, { id, before, declared, latest }: Work): Promise<Accepted> {
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

async function newWrite(
  context: Context,
  { id, before, declared, latest }: Work,
  plan: Step,
): Promise<Accepted> {
  const { arguments: args } = declared;
  const { rollout: unfinished } = before.private;
  const makesRevision = plan.kind === "revision";

  const draft = patchFor(plan, args, context.dialect);
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isLate = makesRevision && unfinished?.revision === null;
  const isRead = isLate || holdsOthers(draft, before, context);
  const shown = latest ?? (isRead ? await context.service.read(id) : undefined);
  const { patch, intended } =
    shown === undefined ? { patch: draft, intended: args } : withOthers(context, plan, before, args, shown);

  const appeared = isLate && shown ? revisionsIn(shown) : [];
  const previous = [...new Set([...revisionsIn(before.observed), ...appeared])];
  const draftOf = { declared, intended, patch, makesRevision, previous };
  const sent = await send(context, id, before, draftOf).catch(async (error: unknown) => {
    // A key of another tenant does not see the deployment, which therefore does not count as deleted.
    if (error instanceof DeletedError) await guard("absent", before, context);
    throw error;
  });
  const rollout = makesRevision
    ? rolloutAfter(context, sent.declared.arguments, sent.response, sent.previous)
    : unfinished;
  return { ...sent, sent: withoutIgnored({ ...sent.patch }, context), rollout };
}
