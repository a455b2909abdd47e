/** What the operations on a deployment do, in calls of the service. */
import { DeploymentError, DeletedError, messageOf, MissingError } from "../errors";
import {
  argumentsIn,
  type Declared,
  deployedAs,
  isDeclared,
  type PrivateState,
  privateStateOf,
  revisionsIn,
  type Rollout,
  type State,
  stateOf,
  UnfinishedError,
  versionOf,
  withoutArguments,
  type Stored,
} from "./state";
import type { Dialect } from "../dialects";
import type { Place } from "./claims";
import { adoptOrCreate } from "./create";
import { type Context, isDeleting, type Observed, placeOf, resourceOf } from "./service";
import { generationAfter, planFor } from "./diff";
import {
  confirmDeleted,
  madeBy,
  readHere,
  refuseAnother,
  refuseElsewhere,
  refuseOtherSettings,
  refuseOtherTenant,
} from "./identity";
import { withoutImmutableDrift } from "./immutable";
import { type Before, driftOf, judge, normalizedAfter, normalizedFrom, type Written } from "./normalized";
import { patchFor, send } from "./patch";
import { isRolledOut, named, waitForRollout } from "./wait";
import * as texts from "./wait-messages";
import { resultOf } from "./lookup";
import { withUndeclared, unmanagedAfter } from "./undeclared";
import { valueAt } from "../values";

/** Creates the deployment, or takes over the one of its name, and waits until its revision is active. */
export async function create(context: Context, declared: Declared): Promise<{ id: string; state: State }> {
  return holdingReplaced(context, declared, async ({ resource }) => {
    await refuseOtherTenant(context, context.run.comparedAs(resource) ?? {});
    const created = await adoptOrCreate(context, declared);
    const { observed, isNew, hasRollout, previous, written, ...privateState } = created;
    const rollout = hasRollout ? rolloutOf(context, declared, observed, previous) : undefined;
    const work = () => finish(context, {}, declared, observed, written, { rollout, ...privateState });
    return { id: observed.id, state: isNew ? await noted(context, {}, work) : await work() };
  });
}

/** What a deployment has replaced may still be there to be deleted, and stays as long as what took its place is not ready. */
async function holdingReplaced<T>(
  context: Context,
  declared: Declared,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const place = placeOf(context, declared);
  try {
    const result = await work(place);
    context.run.noteReady(place, true);
    return result;
  } catch (error) {
    context.run.noteReady(place, false);
    throw error;
  }
}

/** The result of a write, so that a deletion of just that is told to be meant. */
async function noted({ run }: Context, before: Stored, work: () => Promise<State>): Promise<State> {
  const note = (state: State) => {
    const version = versionOf(state);
    // Where nothing changed, a copy from before looks the same.
    if (version !== versionOf(before)) run.noteResult(version);
  };
  try {
    const state = await work();
    note(state);
    return state;
  } catch (error) {
    if (error instanceof UnfinishedError) note(error.state);
    throw error;
  }
}

/** Sends what changed, if anything, and waits for the revision that it made or that an earlier run left unfinished. */
export async function update(context: Context, id: string, state: Stored, checked: Declared): Promise<State> {
  refuseElsewhere(state, context);
  context.run.claim(deployedAs(id, state), resourceOf(context, checked), "has");
  return holdingReplaced(context, checked, () =>
    noted(context, state, () => change(context, id, state, checked)),
  );
}

async function change(context: Context, id: string, state: Stored, checked: Declared): Promise<State> {
  const plan = planFor(state, checked, context.dialect);
  const declared = { ...checked, generation: generationAfter(plan, state, checked) };
  const unfinished = privateStateOf(state).rollout;
  if (plan.kind === "none") {
    if (unfinished === undefined || declared.skipAwait) return settle(state, declared);
    return resume(context, id, state, declared, unfinished);
  }
  const makesRevision = plan.kind === "revision";
  // The revision of an earlier change that nobody has seen yet may be there by now, and is not the one that this makes.
  const isLate = makesRevision && unfinished?.revision === null;
  const late = isLate ? await context.service.read(id) : undefined;
  const changed = patchFor(plan, argumentsIn(state), argumentsIn(declared), context.dialect);
  const { patch, privateState } = await withUndeclared(context, id, changed, state, declared);
  const written = { sent: { ...patch }, before: beforeOf(state, late), makesRevision };
  const observed = await send(context, { id, patch, written, declared });
  const rollout = makesRevision
    ? rolloutOf(context, declared, observed, written.before.revisions)
    : unfinished;
  return finish(context, state, declared, observed, written, { rollout, ...privateState });
}

/** @param late what the service shows now, where that was asked */
function beforeOf(state: Stored, late?: Observed): Before {
  const { normalized } = privateStateOf(state);
  return {
    values: argumentsIn(state),
    updatedAt: state.updatedAt,
    revisions: [...new Set([...revisionsIn(state), ...(late ? revisionsIn(late) : [])])],
    normalized,
  };
}

/** What the service has now, with drift put into what is declared; undefined where the deployment was deleted. */
export async function read(context: Context, id: string, state: Stored): Promise<State | undefined> {
  context.run.noteKnown(id);
  if (isDeclared(state)) refuseOtherSettings(state, context);
  const observed = await readHere(context, id, state);
  if (observed === undefined) return missing(context, id, state);
  if (isDeleting(observed)) return undefined;
  if (!isDeclared(state)) {
    context.run.claim(deployedAs(id, observed), resourceOf(context, { name: observed.name }), "reads");
    const seen = { ...withoutArguments(state), ...argumentsIn(resultOf(observed)) };
    return stateOf(seen, observed, context.dialect);
  }
  refuseAnother(context, state, observed);
  const { unmanagedSecrets, undeclared, immutable, filledIn, ...privateState } = privateStateOf(state);
  const own = argumentsIn(state);
  const { values, normalized } = driftOf(own, observed, privateState.normalized);
  const drift = withoutImmutableDrift(own, values, context.dialect);
  for (const path of drift.contradicted) context.log.warning(ignored(state, path));
  const declared = { ...withoutArguments(state), ...drift.values };
  // A run that was killed wrote nothing down: then the rollout of what it changed shows as drift.
  const isRevised = planFor(state, declared, context.dialect).kind === "revision";
  const rollout =
    privateState.rollout ?? (isRevised ? rolloutSince(context, observed, revisionsIn(state)) : undefined);
  const unfinished = rollout && !isRolledOut(observed, rollout) ? named(rollout, observed) : undefined;
  return stateOf(declared, observed, context.dialect, {
    madeWith: madeBy(context, observed, state, false),
    immutable,
    rollout: unfinished,
    unmanagedSecrets,
    undeclared,
    filledIn,
    normalized,
  });
}

async function missing(context: Context, id: string, state: Stored): Promise<undefined> {
  if (!isDeclared(state) && state.status === undefined) throw new MissingError(`the id ${id}`);
  await confirmDeleted(context, id, state);
  return undefined;
}

function ignored(state: Stored, path: string): string {
  return (
    `${String(state.name)}: the service answers another ${path} than is declared. It can never change, so this is no ` +
    "drift and is ignored"
  );
}

/** Nothing to send, but an earlier rollout to see the end of. */
async function resume(
  context: Context,
  id: string,
  state: Stored,
  declared: Declared,
  rollout: Rollout,
): Promise<State> {
  const observed = await context.service.read(id);
  if (observed === undefined) {
    throw new DeletedError();
  }
  const { undeclared } = privateStateOf(state);
  const privateState = { rollout, undeclared, unmanagedSecrets: unmanagedAfter(state, declared) };
  return finish(context, state, declared, observed, { sent: {}, before: beforeOf(state) }, privateState);
}

/** Waits where there is something to wait for. Whatever happens, the deployment stays in the state. */
async function finish(
  context: Context,
  before: Stored,
  declared: Declared,
  accepted: Observed,
  written: Written,
  {
    rollout: begun,
    ...privateState
  }: Pick<PrivateState, "undeclared" | "unmanagedSecrets"> & { rollout: Rollout | undefined },
): Promise<State> {
  const { dialect } = context;
  const { immutable } = privateStateOf(before);
  const lasting = { ...privateState, madeWith: madeBy(context, accepted, before), immutable };
  let rollout = begun && named(begun, accepted);
  let last = accepted;
  const stateWith = (more: Pick<PrivateState, "rollout" | "normalized">) =>
    stateOf(declared, last, dialect, { ...lasting, ...more });
  if (rollout !== undefined && !declared.skipAwait) {
    const seen = (observed: Observed) => {
      last = observed;
      rollout = named(rollout!, observed);
    };
    const wait = { name: declared.name, id: accepted.id, seen, ...rollout };
    const end = await waitForRollout(context, wait, accepted).catch((error: unknown) => {
      const own = isOvertaken(last, rollout) ? { ...written, sent: {} } : written;
      const state = stateWith({ rollout, normalized: normalizedFrom(own, declared, accepted, last) });
      throw new UnfinishedError(interrupted(error), accepted.id, state, { cause: error });
    });
    if (end === "no revision") {
      const isFirst = begun !== privateStateOf(before).rollout;
      context.log.warning((isFirst ? texts.notSeenYet : texts.neverSeen)(declared.name, last));
      return stateWith({
        rollout: isFirst ? rollout : undefined,
        normalized: normalizedAfter({}, declared, last, written.before?.normalized),
      });
    }
  }
  const own = isOvertaken(last, rollout) ? { ...written, sent: {} } : written;
  const { observed, normalized } = await judge(context, declared, own, accepted, last);
  last = observed;
  return stateWith({ normalized });
}

/** Whether somebody else has made a newer revision: what it shows is not what the service made of this call's. */
function isOvertaken({ latestRevisionId }: Observed, rollout: Rollout | undefined): boolean {
  if (rollout === undefined || rollout.revision === null || latestRevisionId === null) return false;
  return ![rollout.revision, ...rollout.previous].includes(latestRevisionId);
}

/** Why the waiting ended. What is wrong with the connection says nothing of the deployment. */
function interrupted(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof DeploymentError) return message;
  return `${message}. The deployment exists and its rollout goes on: the next \`pulumi up\` resumes waiting`;
}

/** The state after an update that sent nothing and has nothing to wait for. */
function settle(state: Stored, declared: Declared): State {
  const { rollout: _, ...privateState } = privateStateOf(state);
  return { ...withoutArguments(state), ...declared, __private: privateState };
}

/** The rollout of the revision that a call made; none where there is nothing yet that could be rolled out. */
function rolloutOf(
  context: Context,
  declared: Declared,
  observed: Observed,
  previous: readonly string[],
): Rollout | undefined {
  const { name } = declared;
  const missing = missingUpload(declared, observed, context.dialect);
  if (missing !== undefined) {
    context.log.info(
      `${name}: there is nothing to run yet, so no rollout is waited for: it begins with an upload, or with ${missing}`,
    );
    return undefined;
  }
  return rolloutSince(context, observed, previous);
}

/** What a deployment of this source runs, where it was not given any yet. */
function missingUpload(declared: Declared, observed: Observed, { uploads }: Dialect): string | undefined {
  const upload = Object.hasOwn(uploads, declared.source) ? uploads[declared.source] : undefined;
  const isThere = (values: unknown) => typeof valueAt(values, upload!.split(".")) === "string";
  return upload === undefined || isThere(declared) || isThere(observed) ? undefined : upload;
}

function rolloutSince(
  { clock }: Context,
  { latestRevisionId }: Observed,
  previous: readonly string[],
): Rollout {
  // A response that lags behind shows the revision from before, which is not the one to wait for.
  const revision = latestRevisionId !== null && previous.includes(latestRevisionId) ? null : latestRevisionId;
  return { revision, previous, since: new Date(clock.now()).toISOString() };
}
