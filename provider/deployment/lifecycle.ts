/** What the operations on a deployment do, in calls of the service. */
import { messageOf } from "../control-plane/errors";
import type { Dialect } from "../dialects";
import { adjustedIn, withoutAdjusted } from "./adjusted";
import { adoptOrCreate } from "./create";
import { resourceOf, type Context } from "./context";
import { generationAfter, planFor } from "./diff";
import { DeploymentError, GoneError, MissingError, UnfinishedError } from "./errors";
import { confirmDeleted, madeBy, refuseAnother, refuseElsewhere, refuseOtherSettings } from "./identity";
import { withoutImmutableDrift } from "./immutable";
import { withDrift } from "./observe";
import { patchFor } from "./patch";
import { isDeleting, isRolledOut, waitForRollout } from "./rollout";
import { resultOf } from "./result";
import { send } from "./send";
import type { Observed } from "./service";
import {
  argumentsIn,
  deployedAs,
  isDeclared,
  memoryOf,
  revisionsIn,
  stateOf,
  withoutArguments,
  type Declared,
  type Rollout,
  type State,
} from "./state";
import { unmanagedAfter, withUnmanaged } from "./unmanaged";
import { valueAt, type Values } from "./values";

/** Creates the deployment, or takes over the one of its name, and waits until its revision is active. */
export async function create(context: Context, declared: Declared): Promise<{ id: string; state: State }> {
  const resource = resourceOf(context, declared);
  try {
    const { observed, hasRollout, previous, unmanaged } = await adoptOrCreate(context, declared);
    context.run.claim(deployedAs(observed.id, observed), resource, "has");
    const rollout = hasRollout ? rolloutOf(context, declared, observed, previous) : undefined;
    return { id: observed.id, state: await finish(context, {}, declared, observed, rollout, unmanaged) };
  } catch (error) {
    context.run.creationFailed(resource);
    throw error;
  }
}

/** Sends what changed, if anything, and waits for the revision that it made or that an earlier run left unfinished. */
export async function update(context: Context, id: string, state: Values, checked: Declared): Promise<State> {
  refuseElsewhere(state, context);
  context.run.claim(deployedAs(id, state), resourceOf(context, checked), "has");
  const plan = planFor(state, checked, context.dialect);
  const declared = { ...checked, generation: generationAfter(plan, state, checked) };
  const unfinished = memoryOf(state).rollout;
  if (plan.kind === "none") {
    if (unfinished === undefined || declared.skipAwait) return settle(state, declared);
    return resume(context, id, state, declared, unfinished);
  }
  const unmanaged = unmanagedAfter(state, declared);
  const changed = patchFor(plan, argumentsIn(state), argumentsIn(declared), context.dialect);
  const patch = await withUnmanaged(context.service, id, changed, unmanaged);
  const previous = revisionsIn(state);
  const observed = await send(context, {
    id,
    patch,
    makesRevision: plan.kind === "revision",
    previous,
    declared,
  });
  const made = plan.kind === "revision" ? rolloutOf(context, declared, observed, previous) : unfinished;
  return finish(context, state, declared, observed, made, unmanaged);
}

/** What the service has now, with drift put into what is declared; undefined where the deployment was deleted. */
export async function read(context: Context, id: string, state: Values): Promise<State | undefined> {
  context.run.noteRead(id);
  if (isDeclared(state)) refuseOtherSettings(state, context);
  const observed = await context.service.read(id);
  if (observed === undefined) return missing(context, id, state);
  if (isDeleting(observed)) return undefined;
  if (!isDeclared(state)) {
    const seen = { ...withoutArguments(state), ...argumentsIn(resultOf(observed)) };
    return stateOf(seen, observed, context.dialect);
  }
  refuseAnother(context, state, observed);
  const { unmanagedSecrets, adjusted, immutable, ...memory } = memoryOf(state);
  const own = argumentsIn(state);
  const drift = withoutImmutableDrift(own, withDrift(own, observed), context.dialect);
  for (const path of drift.contradicted) context.log.warning(ignored(state, path));
  const declared = { ...withoutArguments(state), ...withoutAdjusted(drift.values, state, adjusted) };
  // A run that was killed wrote nothing down: then the rollout of what it changed shows as drift.
  const isRevised = planFor(state, declared, context.dialect).kind === "revision";
  const rollout =
    memory.rollout ?? (isRevised ? rolloutSince(context, observed, revisionsIn(state)) : undefined);
  const unfinished = rollout && !isRolledOut(observed, rollout) ? rollout : undefined;
  return stateOf(declared, observed, context.dialect, {
    madeWith: madeBy(context, observed, state),
    immutable,
    rollout: unfinished,
    unmanagedSecrets,
    adjusted,
  });
}

async function missing(context: Context, id: string, state: Values): Promise<undefined> {
  if (!isDeclared(state) && state["status"] === undefined) throw new MissingError(id);
  await confirmDeleted(context, id, state);
  return undefined;
}

function ignored(state: Values, path: string): string {
  return (
    `${String(state["name"])}: the service answers another ${path} than is declared. It can never change, so this is no ` +
    "drift and is ignored"
  );
}

/** Nothing to send, but an earlier rollout to see the end of. */
async function resume(
  context: Context,
  id: string,
  state: Values,
  declared: Declared,
  rollout: Rollout,
): Promise<State> {
  const observed = await context.service.read(id);
  if (observed === undefined) {
    throw new GoneError();
  }
  return finish(context, state, declared, observed, rollout, unmanagedAfter(state, declared));
}

/** Waits where there is something to wait for. Whatever happens, the deployment stays in the state. */
async function finish(
  context: Context,
  before: Values,
  declared: Declared,
  accepted: Observed,
  rollout: Rollout | undefined,
  unmanagedSecrets: readonly string[],
): Promise<State> {
  const { dialect } = context;
  const lasting = { madeWith: madeBy(context, accepted, before), immutable: memoryOf(before).immutable };
  const finished = (observed: Observed) => {
    const adjusted = adjustedIn(context, before, declared, observed);
    return stateOf(declared, observed, dialect, { ...lasting, unmanagedSecrets, adjusted });
  };
  if (rollout === undefined || declared.skipAwait) return finished(accepted);
  let last = accepted;
  try {
    const seen = (observed: Observed) => (last = observed);
    await waitForRollout(context, { name: declared.name, id: accepted.id, seen, ...rollout }, accepted);
  } catch (error) {
    const state = stateOf(declared, last, dialect, { ...lasting, rollout, unmanagedSecrets });
    throw new UnfinishedError(interrupted(error), accepted.id, state, { cause: error });
  }
  return finished(last);
}

/** Why the waiting ended. What is wrong with the connection says nothing of the deployment. */
function interrupted(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof DeploymentError) return message;
  return `${message}. The deployment exists and its rollout goes on: the next \`pulumi up\` resumes waiting`;
}

/** The state after an update that sent nothing and has nothing to wait for. */
function settle(state: Values, declared: Declared): State {
  const { rollout: _, ...memory } = memoryOf(state);
  return { ...withoutArguments(state), ...declared, __memory: memory } as unknown as State;
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
  const { latestRevisionId } = observed;
  if (latestRevisionId !== null && previous.includes(latestRevisionId)) {
    context.log.warning(`${name}: the service accepted the change and made no new revision of it`);
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
  return { revision: latestRevisionId, previous, since: new Date(clock.now()).toISOString() };
}
