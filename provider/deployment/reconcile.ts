/**
 * Carries out the steps that lead from the state before to what is declared, and records the state after each. A creation begins
 * with the state after its POST, an adoption with the state as it was found.
 */
import { formatPath } from "../../schema/tree";
import { DeletedError, DeploymentError, messageOf } from "../errors";
import { contentKey } from "./internal-inputs";
import { seenFor } from "./baseline-record";
import { refuseUnseen } from "./identity";
import { isOnceActive, withOnceActiveOf } from "./field-change";
import type { Plan } from "./plan";
import { waitAndRecord, rolloutOf } from "./rollout";
import { outcomeOf } from "./revision-outcome";
import { send, type Work } from "./send";
import { planUpdate } from "./steps";
import type { Context } from "./context";
import { isDeleting } from "./service";
import { type State, UnfinishedError } from "./state";
import * as texts from "./wait-messages";

/** @throws UnfinishedError with the state, if the service accepted a change but its rollout did not succeed */
export async function reconcile(context: Context, work: Work): Promise<State> {
  const { now, later } = planUpdate(work.before, work.declared, context.dialect);
  return now === undefined ? unchanged(context, work) : carryOut(context, work, now, later);
}

/** What is left once the operation has made or changed the deployment, and waited for it. Every failure carries the state. */
export async function finish(context: Context, work: Work): Promise<State> {
  const { id, before, declared } = work;
  const { now, later } = planUpdate(before, declared, context.dialect);
  if (now === undefined || now === "wait")
    return later === undefined ? unchanged(context, work) : leftOpen(context, id, before, later);
  const names = namesOf(now);
  if (names !== "") context.log.info(`sends ${names}, which the service does not accept on creation`);
  try {
    return await carryOut(context, work, now, later);
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const isGone = error instanceof DeletedError;
    const text = isGone ? messageOf(error) : `${messageOf(error)}. ${texts.stillMissing(names)}`;
    throw new UnfinishedError(text, id, before, { cause: error });
  }
}

function unchanged(context: Context, { before, declared }: Work): State {
  const seen = seenFor({ ...context, args: declared.arguments, before });
  return { ...before, ...declared, private: { ...before.private, asFound: undefined, seen } };
}

async function carryOut(context: Context, work: Work, now: Plan | "wait", later?: Plan): Promise<State> {
  const { id, before } = work;
  const { arguments: args, generation } = work.declared;
  const sentNow = later ? withOnceActiveOf(args, before.arguments) : args;
  const ofNow = { ...work, declared: { arguments: sentNow, generation } };
  const state = now === "wait" ? await onlyWait(context, ofNow) : await sendAndWait(context, ofNow, now);
  if (later === undefined) return state;
  // Keeps the content digest as uploaded, not as declared.
  const content = state.arguments[contentKey];
  const rest = content === undefined ? args : { ...args, [contentKey]: content };
  // Plans again: the service may have filled in the rest.
  return finish(context, { id, before: state, declared: { arguments: rest, generation } });
}

async function sendAndWait(context: Context, work: Work, plan: Plan): Promise<State> {
  const change = await send(context, work, plan);
  const rollout = change.makesRevision ? rolloutOf(context, change) : work.before.private.rollout;
  return waitAndRecord(context, change, rollout, work.before);
}

/** Still no active revision: leaves these fields to the next `up`; fails if the revision failed. */
function leftOpen({ dialect, log }: Context, id: string, before: State, later: Plan): State {
  const { observed } = before;
  if (outcomeOf(observed, dialect) === "failed")
    throw new UnfinishedError(texts.neverActive(namesOf(later), observed.latestRevisionStatus!), id, before);
  log.info(`no revision is active yet: the first \`pulumi up\` after one is active sends ${namesOf(later)}`);
  return before;
}

function namesOf({ changes }: Plan): string {
  const paths = changes.map(({ path }) => path).filter(isOnceActive);
  return paths.map(formatPath).join(" and ");
}

/** Nothing to send, but an earlier rollout to wait for: that of the state, or the first one if no revision is active. */
async function onlyWait(context: Context, { id, before, declared, observed }: Work): Promise<State> {
  const { rollout: known } = before.private;
  const response = observed ?? (await context.service.read(id));
  if (response === undefined) {
    if (known?.previous.length === 0) throw new DeploymentError(texts.notListed);
    await refuseUnseen(before, context);
    throw new DeletedError();
  }
  if (isDeleting(response)) throw new DeploymentError(texts.deletingText(response));
  const change = { declared, sent: {}, makesRevision: false, response, previous: [] };
  const rollout = known ?? (response.activeRevisionId === null ? rolloutOf(context, change) : undefined);
  return waitAndRecord(context, change, rollout, before);
}
