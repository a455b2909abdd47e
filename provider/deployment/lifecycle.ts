/** What the operations on a deployment do, in calls of the service. */
import { isKind, messageOf } from "../control-plane/errors";
import { formatDuration } from "../duration";
import { adjustedIn, withoutAdjusted } from "./adjusted";
import { adoptOrCreate } from "./create";
import type { Context } from "./context";
import { planFor } from "./diff";
import { DeploymentError, GoneError, UnfinishedError } from "./errors";
import { withDrift } from "./observe";
import { waitUntilGone } from "./gone";
import { patchFor } from "./patch";
import { isDeleting, isRolledOut, waitForRollout } from "./rollout";
import { resultOf } from "./result";
import { send } from "./send";
import type { Observed } from "./service";
import {
  argumentsIn,
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
import type { Values } from "./values";

/** Creates the deployment, or takes over the one of its name, and waits until its revision is active. */
export async function create(context: Context, declared: Declared): Promise<{ id: string; state: State }> {
  const { observed, hasRollout, previous, unmanaged } = await adoptOrCreate(context, declared);
  const rollout = hasRollout ? rolloutOf(context, declared, observed, previous) : undefined;
  return { id: observed.id, state: await finish(context, {}, declared, observed, rollout, unmanaged) };
}

/** Sends what changed, if anything, and waits for the revision that it made or that an earlier run left unfinished. */
export async function update(
  context: Context,
  id: string,
  state: Values,
  declared: Declared,
): Promise<State> {
  const plan = planFor(state, declared, context.dialect);
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

/** What the service has now, with drift put into what is declared; undefined when the deployment is gone or going. */
export async function read(context: Context, id: string, state: Values): Promise<State | undefined> {
  refuseOtherTenant(context, state);
  const observed = await context.service.read(id);
  if (observed === undefined || isDeleting(observed)) return undefined;
  if (!isDeclared(state)) {
    const seen = { ...withoutArguments(state), ...argumentsIn(resultOf(observed)) };
    return stateOf(seen, observed, context.dialect);
  }
  const { unmanagedSecrets, adjusted, ...memory } = memoryOf(state);
  const drifted = withDrift(argumentsIn(state), observed);
  const declared = { ...withoutArguments(state), ...withoutAdjusted(drifted, state, adjusted) };
  // A run that was killed wrote nothing down: then the rollout of what it changed shows as drift.
  const isRevised = planFor(state, declared, context.dialect).kind === "revision";
  const rollout =
    memory.rollout ?? (isRevised ? rolloutSince(context, observed, revisionsIn(state)) : undefined);
  const unfinished = rollout && !isRolledOut(observed, rollout, context.dialect) ? rollout : undefined;
  return stateOf(declared, observed, context.dialect, { rollout: unfinished, unmanagedSecrets, adjusted });
}

/** Deletes the deployment and waits until it is gone. */
export async function remove(context: Context, id: string, state: Values = {}): Promise<void> {
  const { service, clock, timeout } = context;
  const started = clock.now();
  try {
    await service.delete(id, argumentsIn(state), state["tenantId"] as string | null | undefined);
  } catch (error) {
    if (isKind(error, "not-found")) return refuseOtherTenant(context, state);
    // An earlier run may have begun it.
    if (!isKind(error, "conflict")) throw error;
    const observed = await service.read(id);
    if (observed === undefined) return;
    if (!isDeleting(observed)) throw error;
  }
  const { end, trouble } = await waitUntilGone(context, id, started);
  if (end === "interrupted") {
    throw new DeploymentError(
      "interrupted: the deployment is being deleted and is not gone yet. It stays in the state; run the command " +
        "again to go on waiting",
    );
  }
  if (end === "out of time") {
    throw new DeploymentError(
      `the deployment was not gone within ${formatDuration(timeout)}` +
        (trouble === undefined ? "" : `, or nobody could tell: ${trouble.message}`) +
        ". It stays in the state; run the command again to go on waiting, or give it more time with the resource option " +
        "`customTimeouts`",
    );
  }
}

/** To another tenant's connection a deployment is "not found", which does not say that it is gone. */
function refuseOtherTenant({ tenantId }: Context, state: Values): void {
  const owner = state["tenantId"];
  if (tenantId === undefined || typeof owner !== "string" || owner === tenantId) return;
  throw new DeploymentError(
    `the deployment belongs to tenant ${owner}, the connection is set to tenant ${tenantId}: ` +
      "what this tenant does not see is not taken as deleted. Set `deployment-service:tenantId`",
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
  const finished = (observed: Observed) => {
    const adjusted = adjustedIn(context, before, declared, observed);
    return stateOf(declared, observed, dialect, { unmanagedSecrets, adjusted });
  };
  if (rollout === undefined || declared.skipAwait) return finished(accepted);
  let last = accepted;
  try {
    const seen = (observed: Observed) => (last = observed);
    await waitForRollout(context, { name: declared.name, id: accepted.id, seen, ...rollout }, accepted);
  } catch (error) {
    const state = stateOf(declared, last, dialect, { rollout, unmanagedSecrets });
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

/** The rollout of the revision that a call made. */
function rolloutOf(
  context: Context,
  { name }: Declared,
  observed: Observed,
  previous: readonly string[],
): Rollout {
  const { latestRevisionId } = observed;
  if (latestRevisionId !== null && previous.includes(latestRevisionId)) {
    context.log.warning(`${name}: the service accepted the change and made no new revision of it`);
  }
  return rolloutSince(context, observed, previous);
}

function rolloutSince(
  { clock }: Context,
  { latestRevisionId }: Observed,
  previous: readonly string[],
): Rollout {
  return { revision: latestRevisionId, previous, since: new Date(clock.now()).toISOString() };
}
