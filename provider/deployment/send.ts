/** Sends a change of a deployment, and uploads the declared folder first if the change makes a revision of it. */
import { contentKey } from "../internal-inputs";
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../tries";
import { canBeUpdated } from "./ambiguous-write";
import type { Before, Written } from "./normalized";
import { type Accepted, rolloutAfter } from "./rollout";
import type { Context } from "./context";
import type { Archive, Observed, Patch } from "./service";
import type { CheckedArguments, Declared } from "./state";

export interface Change {
  readonly declared: Declared;
  /** What the arguments are afterwards, if others determine some of them. */
  readonly intended?: CheckedArguments;
  readonly patch: Patch;
  readonly before: Before;
  readonly makesRevision: boolean;
}

/** @throws DeletedError if the service no longer has the deployment */
export async function send(context: Context, id: string, change: Change): Promise<Accepted> {
  const { before, makesRevision } = change;
  const { patch, declared, uploaded } = await withUpload(context, id, change);
  const { arguments: args } = declared;
  const written = { sent: { ...patch }, before, makesRevision };
  const observed = await sendPatch(context, id, patch, written, change.intended ?? args);
  return {
    declared,
    observed,
    written,
    rollout: makesRevision ? rolloutAfter(context, args, observed, before.revisions) : undefined,
    remembered: uploaded === undefined ? {} : { uploaded },
  };
}

interface Uploaded {
  readonly patch: Patch;
  /** With the content of the folder as uploaded. */
  readonly declared: Declared;
  /** Path of the archive; undefined if nothing was uploaded. */
  readonly uploaded?: string;
}

async function withUpload(
  { service, sourceFolder }: Context,
  id: string,
  { patch, declared }: Change,
): Promise<Uploaded> {
  if (sourceFolder === undefined || patch.sourceRevisionConfig === undefined) return { patch, declared };
  const archive: Archive = await sourceFolder.archive();
  const uploaded = await service.upload(id, archive);
  const paths = { graphConfigPath: archive.configPath, sourceTarballPath: uploaded };
  return {
    patch: {
      ...patch,
      revisionSource: "internal_source",
      sourceRevisionConfig: { ...patch.sourceRevisionConfig, ...paths },
    },
    declared: { ...declared, arguments: { ...declared.arguments, [contentKey]: archive.content } },
    uploaded,
  };
}

/**
 * The client itself retries changes of settings, which are idempotent. A revision is not: if it is unclear whether the PATCH
 * succeeded, this looks for the revision before it retries.
 */
async function sendPatch(
  { service, clock, ...limits }: Context,
  id: string,
  patch: Patch,
  { sent, before, makesRevision }: Required<Written> & { readonly before: Before },
  intended: CheckedArguments,
): Promise<Observed> {
  const tries = new Tries(clock, limits);
  for (;;) {
    try {
      return await service.update(id, patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) throw new DeletedError(error);
      if (!makesRevision || !hasAmbiguousOutcome(error)) throw error;
      const observed = await service.overtime().read(id);
      if (observed !== undefined && canBeUpdated(sent, before, intended, observed)) return observed;
      await tries.waitAfter(error);
    }
  }
}
