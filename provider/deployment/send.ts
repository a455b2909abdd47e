/** Sends a change of a deployment, and uploads the declared folder first if the change makes a revision of it. */
import { contentKey } from "../internal-inputs";
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../time/tries";
import { canBeUpdated } from "./ambiguous-write";
import type { Context } from "./context";
import { withoutIgnored } from "./keep";
import type { Change } from "./record";
import type { Archive, Patch } from "./service";
import type { CheckedArguments, State } from "./state";

/** A change, before it is sent. */
interface Draft extends Omit<Change, "sent" | "response"> {
  readonly patch: Patch;
  /** What the arguments are afterwards, if others determine some of them. */
  readonly intended: CheckedArguments;
}

/** @throws DeletedError if the service no longer has the deployment */
export async function send(context: Context, id: string, before: State, draft: Draft): Promise<Change> {
  return sendPatch(context, id, before, await withUpload(context, id, draft));
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
      if (isKind(error, "not-found")) throw new DeletedError(error);
      const isAmbiguous = makesRevision && hasAmbiguousOutcome(error);
      mayBeDone ||= isAmbiguous;
      const response = mayBeDone ? await service.overtime().read(id) : undefined;
      if (response && canBeUpdated({ patch, previous, intended }, before.arguments, response))
        return { ...change, sent, response };
      if (!isAmbiguous) throw error;
      await tries.waitAfter(error);
    }
  }
}
