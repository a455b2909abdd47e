/** Sends a change: reads what belongs to others and must stay, uploads the declared folder, and sends the PATCH. */
import { contentKey } from "../internal-inputs";
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../time/tries";
import { isLikelyResultOfPatch } from "./ambiguous-write";
import type { Context } from "./context";
import { refuseUnseen } from "./identity";
import { holdsOthers, withOthers, withoutIgnored } from "./keep";
import { patchFor } from "./patch";
import type { Plan } from "./plan";
import type { Change } from "./record";
import type { Archive, Observed, Patch } from "./service";
import { type CheckedArguments, type Declared, revisionsIn, type State } from "./state";

export interface Work {
  readonly id: string;
  readonly before: State;
  readonly declared: Declared;
  /** The deployment, if this operation has just read it. */
  readonly observed?: Observed;
}

/** A change, before it is sent. */
interface Draft extends Omit<Change, "sent" | "response"> {
  readonly patch: Patch;
  /** What the arguments are afterwards, if others determine some of them. */
  readonly intended: CheckedArguments;
}

/** @throws DeletedError if the service no longer has the deployment */
export async function send(context: Context, work: Work, plan: Plan): Promise<Change> {
  const { id, before } = work;
  const draft = await withUpload(context, id, await draftOf(context, work, plan));
  return sendPatch(context, id, before, draft);
}

async function draftOf(
  context: Context,
  { id, before, declared, observed: known }: Work,
  plan: Plan,
): Promise<Draft> {
  const { arguments: args } = declared;
  const makesRevision = plan.effect === "revision";
  const patch = patchFor(plan, args, context.dialect);
  // The revision of an earlier change may have appeared meanwhile. It must not be mistaken for the one that this change makes.
  const isLate = makesRevision && before.private.rollout?.revision === null;
  const isRead = isLate || holdsOthers(patch, before, context);
  const observed = known ?? (isRead ? await context.service.read(id) : undefined);
  const full = observed && withOthers(context, plan, before, args, observed);
  const appeared = isLate && observed ? revisionsIn(observed) : [];
  const previous = [...new Set([...revisionsIn(before.observed), ...appeared])];
  return { declared, makesRevision, previous, ...(full ?? { patch, intended: args }) };
}

async function withUpload({ service, sourceFolder }: Context, id: string, change: Draft): Promise<Draft> {
  const { patch, declared } = change;
  if (sourceFolder === undefined || patch.sourceRevisionConfig === undefined) return change;
  const archive: Archive = await sourceFolder.archive();
  const uploaded = await service.upload(id, archive);
  const paths = { graphConfigPath: archive.configPath, sourceTarballPath: uploaded };
  return {
    ...change,
    patch: {
      ...patch,
      revisionSource: "internal_source",
      sourceRevisionConfig: { ...patch.sourceRevisionConfig, ...paths },
    },
    declared: { ...declared, arguments: { ...declared.arguments, [contentKey]: archive.content } },
  };
}

/**
 * The client itself retries changes of settings, which are idempotent. A revision is not: if it is unclear whether the PATCH
 * succeeded, this looks for the revision before it retries.
 */
async function sendPatch(context: Context, id: string, before: State, draft: Draft): Promise<Change> {
  const { service, clock, ...limits } = context;
  const { patch, intended, ...change } = draft;
  const { makesRevision, previous } = change;
  const sent = withoutIgnored({ ...patch }, context);
  const tries = new Tries(clock, limits);
  let mayBeDone = false;
  for (;;) {
    try {
      return { ...change, sent, response: await service.update(id, patch, { makesRevision }) };
    } catch (error) {
      if (isKind(error, "not-found")) {
        // A key of another tenant does not see the deployment, which therefore does not count as deleted.
        await refuseUnseen(before, context);
        throw new DeletedError(error);
      }
      const isAmbiguous = makesRevision && hasAmbiguousOutcome(error);
      mayBeDone ||= isAmbiguous;
      const response = mayBeDone ? await service.overtime().read(id) : undefined;
      if (response && isLikelyResultOfPatch({ patch, previous, intended }, before.arguments, response))
        return { ...change, sent, response };
      if (!isAmbiguous) throw error;
      await tries.waitAfter(error);
    }
  }
}
