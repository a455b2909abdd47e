/** Sends a change: reads what belongs to others and must stay, uploads the declared folder, and sends the PATCH. */
import { contentKey } from "./internal-inputs";
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../time/tries";
import { isLikelyResultOfPatch, type SentUpdate } from "./ambiguous-write";
import type { Context } from "./context";
import { refuseUnseen } from "./identity";
import { holdsOthers, withOthers, withoutIgnored } from "./keep";
import { patchFor } from "./patch";
import type { Plan } from "./plan";
import type { Change } from "./record";
import type { Observed, Patch } from "./service";
import { type CheckedArguments, type Declared, revisionsIn, type State } from "./state";

export interface Work {
  readonly id: string;
  readonly before: State;
  readonly declared: Declared;
  /** The deployment, if this operation has just read it. */
  readonly observed?: Observed;
}

/** @throws DeletedError if the service no longer has the deployment */
export async function send(context: Context, work: Work, plan: Plan): Promise<Change> {
  const { id, before, declared } = work;
  const makesRevision = plan.effect === "revision";
  const write = await patchOf(context, work, plan);
  const { patch, args } = await withUpload(context, id, write.patch, declared.arguments);
  const response = await sendPatch(context, id, before, { ...write, patch }, makesRevision);
  const sent = withoutIgnored({ ...patch }, context);
  return {
    declared: { ...declared, arguments: args },
    sent,
    makesRevision,
    previous: write.previous,
    response,
  };
}

/** The PATCH, what the service has afterwards, and the revisions from before. */
async function patchOf(
  context: Context,
  { id, before, declared, observed: known }: Work,
  plan: Plan,
): Promise<SentUpdate> {
  const { arguments: args } = declared;
  const patch = patchFor(plan, args, context.dialect);
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isLate = plan.effect === "revision" && before.private.rollout?.revision === null;
  const isRead = isLate || holdsOthers(patch, before, context);
  const observed = known ?? (isRead ? await context.service.read(id) : undefined);
  const full = observed && withOthers(context, plan, before, args, observed);
  const appeared = isLate && observed ? revisionsIn(observed) : [];
  const previous = [...new Set([...revisionsIn(before.observed), ...appeared])];
  return { previous, ...(full ?? { patch, intended: args }) };
}

/** With the paths in the archive, and the arguments with the content that it has. */
async function withUpload(
  { service, sourceFolder }: Context,
  id: string,
  patch: Patch,
  args: CheckedArguments,
): Promise<{ patch: Patch; args: CheckedArguments }> {
  if (sourceFolder === undefined || patch.sourceRevisionConfig === undefined) return { patch, args };
  const archive = await sourceFolder.archive();
  const paths = {
    graphConfigPath: archive.configPath,
    sourceTarballPath: await service.upload(id, archive),
  };
  const sourceRevisionConfig = { ...patch.sourceRevisionConfig, ...paths };
  return {
    patch: { ...patch, revisionSource: "internal_source", sourceRevisionConfig },
    args: { ...args, [contentKey]: archive.content },
  };
}

/** The client retries changes of settings, which are idempotent. A revision is looked for before another try. */
async function sendPatch(
  context: Context,
  id: string,
  before: State,
  write: SentUpdate,
  makesRevision: boolean,
): Promise<Observed> {
  const { service, clock, ...limits } = context;
  const tries = new Tries(clock, limits);
  let mayBeDone = false;
  for (;;) {
    try {
      return await service.update(id, write.patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) {
        // A key of another tenant does not see the deployment, which therefore does not count as deleted.
        await refuseUnseen(before, context);
        throw new DeletedError(error);
      }
      const isAmbiguous = makesRevision && hasAmbiguousOutcome(error);
      mayBeDone ||= isAmbiguous;
      const response = mayBeDone ? await service.overtime().read(id) : undefined;
      if (response && isLikelyResultOfPatch(write, before.arguments, response)) return response;
      if (!isAmbiguous) throw error;
      await tries.waitAfter(error);
    }
  }
}
