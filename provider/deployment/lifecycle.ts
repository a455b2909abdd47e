/** What the operations on a deployment do, in calls of the service. */
import { DeletedError, DeploymentError, messageOf, MissingError } from "../errors";
import {
  argumentsIn,
  type Declared,
  deployedAs,
  inClear,
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
import { contentKey } from "../internal-inputs";
import type { Created } from "./adopt";
import { replacedContent } from "./content";
import { isReplaced, withUpload } from "./upload";
import { adoptOrCreate } from "./create";
import { type Context, isDeleting, type Observed, placeOf, resourceOf } from "./service";
import { generationAfter, planFor } from "./diff";
import {
  madeBy,
  readHere,
  refuseAnother,
  refuseBlindKey,
  refuseElsewhere,
  refuseOtherSettings,
} from "./identity";
import { asOnService, ignoredIn, withoutIgnored } from "./ignored";
import { withoutImmutableDrift } from "./immutable";
import { type Before, driftOf, judge, normalizedAfter, tell, type Written } from "./normalized";
import { patchFor, send } from "./patch";
import { isRolledOut, named, waitForRollout } from "./wait";
import * as texts from "./wait-messages";
import { waitUntilReady } from "./ready";
import { resultOf } from "./lookup";
import { withUndeclared, unmanagedAfter } from "./undeclared";
import { valueAt } from "../../schema/tree";

/** Creates the deployment, or takes over the one of its name, and waits until its revision is active. */
export async function create(context: Context, declared: Declared): Promise<{ id: string; state: State }> {
  return holdingReplaced(context, declared, async () => {
    const replaced = context.run.compared.get(resourceOf(context, declared));
    if (replaced !== undefined) await refuseBlindKey(context, replaced.state);
    // Nothing is created for a folder that cannot be uploaded.
    const archive = await context.sourceFolder?.archive();
    const created = await adoptOrCreate(context, declared, archive?.configPath);
    const { id } = created.observed;
    const work = async () => {
      const filled = await fill(context, created);
      const { observed, declared, isNew: _, hasRollout, previous, written, ...privateState } = filled;
      const rollout = hasRollout
        ? rolloutOf(context, declared, observed, previous)
        : activeRollout(context, declared, observed);
      return finish(context, {}, declared, observed, written, { rollout, ...privateState });
    };
    return { id, state: created.isNew ? await noted(context, {}, work) : await work() };
  });
}

/** Uploads and rolls out the source code of a new deployment. Whatever happens, the deployment stays in the state. */
async function fill(context: Context, created: Created): Promise<Created> {
  const { observed, declared, takenOver } = created;
  if (context.sourceFolder === undefined || takenOver) return created;
  const { id } = observed;
  const previous = revisionsIn(observed);
  try {
    const uploaded = await withUpload(context, id, { sourceRevisionConfig: {} }, declared);
    const before = { values: {}, updatedAt: observed.updatedAt, revisions: previous };
    const written = { sent: { ...uploaded.patch }, before, makesRevision: true };
    const change = { id, patch: uploaded.patch, written, declared: uploaded.declared };
    const filled = await send(context, change);
    return {
      ...created,
      ...uploaded.privateState,
      observed: filled,
      declared: uploaded.declared,
      previous,
      written,
    };
  } catch (error) {
    const { [contentKey]: _, ...rest } = declared;
    const privateState = { madeWith: madeBy(context, observed, {}) };
    // It has no revision with source code yet.
    const state = stateOf({ ...rest, generation: 0 }, observed, context.dialect, privateState);
    const next = "The deployment exists but has no source code yet: the next `pulumi up` uploads it";
    throw new UnfinishedError(`${messageOf(error)}. ${next}`, id, state, { cause: error });
  }
}

/** Keeps the replaced deployment until its replacement is ready. */
async function holdingReplaced<T>(context: Context, declared: Declared, work: () => Promise<T>): Promise<T> {
  let isReady = false;
  try {
    const result = await work();
    isReady = true;
    return result;
  } finally {
    context.run.noteReady(placeOf(context, declared), isReady);
  }
}

/** Marks the result of a write as safe to delete in this run. */
async function noted({ run }: Context, before: Stored, work: () => Promise<State>): Promise<State> {
  const note = (state: State) => {
    const version = versionOf(state);
    // Where nothing changed, a copy from before looks the same.
    if (version !== versionOf(before)) run.noteResult(version);
    return state;
  };
  return work().then(note, (error: unknown) => {
    if (error instanceof UnfinishedError) note(error.state);
    throw error;
  });
}

/** Sends what changed, if anything, and waits for the revision that it made or that an earlier run left unfinished. */
export async function update(context: Context, id: string, state: Stored, checked: Declared): Promise<State> {
  refuseElsewhere(state, context);
  context.run.claim(deployedAs(id, state), resourceOf(context, checked), "keeps");
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
  const ignored = ignoredIn(patchFor(plan, argumentsIn(declared), context.dialect), context);
  const intended = await asOnService(context, id, ignored, state, declared);
  const changed = patchFor(plan, argumentsIn(intended), context.dialect);
  const kept = await withUndeclared(context, id, changed, state, intended);
  const { patch, privateState, declared: sent } = await withUpload(context, id, kept, declared);
  const written = { sent: { ...patch }, before: beforeOf(state, late), makesRevision };
  const observed = await send(context, { id, patch, written, declared: intended }).catch(
    async (error: unknown) => {
      // What another tenant's key does not see is not deleted.
      if (error instanceof DeletedError) await refuseBlindKey(context, state);
      throw error;
    },
  );
  const rollout = makesRevision
    ? rolloutOf(context, declared, observed, written.before.revisions)
    : unfinished;
  const own = { ...written, sent: withoutIgnored(written.sent, ignored) };
  const more = { rollout, uploaded: privateStateOf(state).uploaded, ...privateState };
  return finish(context, state, sent, observed, own, { ...takenOverAfter(state, declared), ...more });
}

/** What stays of how a deployment came to this stack. */
function takenOverAfter(
  state: Stored,
  declared: Declared,
): Pick<PrivateState, "takenOver" | "unmanagedSecrets"> {
  const { takenOver } = privateStateOf(state);
  return { takenOver, unmanagedSecrets: unmanagedAfter(state, declared) };
}

/** @param late what the service shows now, where that was asked */
function beforeOf(state: Stored, late?: Observed): Before {
  const { normalizations } = privateStateOf(state);
  return {
    values: argumentsIn(state),
    updatedAt: state.updatedAt,
    revisions: [...new Set([...revisionsIn(state), ...(late ? revisionsIn(late) : [])])],
    normalizations,
  };
}

/** What the service has now, with drift put into what is declared; undefined where the deployment was deleted. */
export async function read(context: Context, id: string, state: Stored): Promise<State | undefined> {
  if (isDeclared(state)) refuseOtherSettings(state, context);
  const observed = await readHere(context, id, state);
  if (observed === undefined) return missing(context, id, state);
  if (isDeleting(observed)) return undefined;
  if (!isDeclared(state)) {
    const seen = { ...withoutArguments(state), ...argumentsIn(resultOf(observed)) };
    return stateOf(seen, observed, context.dialect);
  }
  refuseAnother(context, state, observed);
  const privateState = privateStateOf(state);
  const own = argumentsIn(state);
  const { values, normalizations } = driftOf(own, observed, privateState.normalizations);
  tell(context, state, normalizations, privateState.normalizations);
  const drift = withoutImmutableDrift(own, values, context.dialect);
  for (const path of drift.contradicted) context.log.warning(ignored(state, path));
  const isOvertaken = state[contentKey] !== undefined && isReplaced(privateState, observed);
  const declared = {
    ...withoutArguments(state),
    ...drift.values,
    ...(isOvertaken && { [contentKey]: replacedContent }),
  };
  // A run that was killed wrote nothing down: then the rollout of what it changed shows as drift.
  const isRevised = planFor(state, declared, context.dialect).kind === "revision";
  const rollout =
    privateState.rollout ?? (isRevised ? rolloutSince(context, observed, revisionsIn(state)) : undefined);
  // That it is rolled out does not say whether it answers.
  const isAsked = state["ready"] !== undefined && state["skipAwait"] !== true;
  const unfinished =
    rollout && (isAsked || !isRolledOut(observed, rollout)) ? named(rollout, observed) : undefined;
  return stateOf(declared, observed, context.dialect, {
    ...privateState,
    madeWith: madeBy(context, observed, state, false),
    rollout: unfinished,
    normalizations,
  });
}

async function missing(context: Context, id: string, state: Stored): Promise<undefined> {
  if (isDeclared(state)) await refuseBlindKey(context, state);
  else if (state.status === undefined) throw new MissingError(`the id ${id}`);
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
    const isCreation = rollout.previous.length === 0;
    throw isCreation ? new DeploymentError(texts.notListed) : new DeletedError();
  }
  const { uploaded } = privateStateOf(state);
  const privateState = { rollout, uploaded, ...takenOverAfter(state, declared) };
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
  }: Pick<PrivateState, "takenOver" | "unmanagedSecrets" | "uploaded"> & { rollout: Rollout | undefined },
): Promise<State> {
  const { dialect } = context;
  const { immutable } = privateStateOf(before);
  const lasting = { ...privateState, madeWith: madeBy(context, accepted, before), immutable };
  let rollout = begun && named(begun, accepted);
  let last = accepted;
  const stateWith = (more: Pick<PrivateState, "rollout" | "normalizations">) =>
    stateOf(declared, last, dialect, { ...lasting, ...more });
  if (rollout !== undefined && !declared.skipAwait) {
    const seen = (observed: Observed) => {
      last = observed;
      rollout = named(rollout!, observed);
    };
    const wait = { name: declared.name, id: accepted.id, seen, ...rollout };
    const waitForEnd = async () => {
      const result = await waitForRollout(context, wait, accepted);
      if (result === "active") await waitUntilReady(context, declared, last);
      return result;
    };
    const end = await waitForEnd().catch((error: unknown) => {
      const normalizations = normalizedAfter(ownPart(written, last, rollout), declared, accepted, last);
      const state = stateWith({ rollout, normalizations });
      throw new UnfinishedError(interrupted(error), accepted.id, state, { cause: error });
    });
    if (end === "no revision") {
      const isFirst = begun !== privateStateOf(before).rollout;
      context.log.warning((isFirst ? texts.notSeenYet : texts.neverSeen)(declared.name, last));
      return stateWith({
        rollout: isFirst ? rollout : undefined,
        normalizations: normalizedAfter({ ...written, sent: {} }, declared, accepted, last),
      });
    }
  }
  const own = ownPart(written, last, rollout);
  const { observed, normalizations } = await judge(context, declared, own, accepted, last);
  last = observed;
  return stateWith({ normalizations });
}

/** What a newer revision of somebody else's shows is nothing that the service made of this call. */
function ownPart(written: Written, { latestRevisionId }: Observed, rollout: Rollout | undefined): Written {
  if (rollout === undefined || rollout.revision === null || latestRevisionId === null) return written;
  const isOvertaken = ![rollout.revision, ...rollout.previous].includes(latestRevisionId);
  return isOvertaken ? { ...written, sent: {} } : written;
}

/** Why the waiting ended. What is wrong with the connection says nothing of the deployment. */
function interrupted(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof DeploymentError) return message;
  return `${message}. The deployment exists and its rollout goes on: the next \`pulumi up\` resumes waiting`;
}

/** The state after an update that sent nothing and has nothing to wait for. */
function settle(state: Stored, declared: Declared): State {
  const privateState = inClear(declared, { ...privateStateOf(state), rollout: undefined });
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

/** What was adopted as it is has no rollout to wait for. It still has to answer where the program says so. */
function activeRollout({ clock }: Context, { ready }: Declared, observed: Observed): Rollout | undefined {
  const { activeRevisionId: revision } = observed;
  if (ready === undefined || revision === null) return undefined;
  const previous = revisionsIn(observed).filter((each) => each !== revision);
  return { revision, previous, since: new Date(clock.now()).toISOString() };
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
