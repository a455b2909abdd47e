/** Sends a PATCH. */
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../tries";
import { canBeUpdated } from "./ambiguous-write";
import type { Before, Written } from "./normalized";
import type { Context } from "./context";
import type { Observed, Patch } from "./service";
import type { CheckedArguments } from "./state";

export interface PatchToSend {
  readonly id: string;
  readonly patch: Patch;
  readonly written: Written & { readonly before: Before };
  /** The arguments after the change. */
  readonly declared: CheckedArguments;
}

/**
 * Sends a PATCH. The client itself retries changes of settings, which are idempotent. A revision is not: if it is unclear whether
 * the PATCH succeeded, this looks for the revision before it retries.
 *
 * @throws DeletedError if the service no longer has the deployment
 */
export async function send(context: Context, change: PatchToSend): Promise<Observed> {
  const { service, clock } = context;
  const { id, patch, written, declared } = change;
  const makesRevision = written.makesRevision ?? false;
  const tries = new Tries(clock, context);
  for (;;) {
    try {
      return await service.update(id, patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) throw new DeletedError(error);
      if (!makesRevision || !hasAmbiguousOutcome(error)) throw error;
      const observed = await service.overtime().read(id);
      if (observed !== undefined && canBeUpdated(written.sent, written.before, declared, observed))
        return observed;
      await tries.waitAfter(error);
    }
  }
}
