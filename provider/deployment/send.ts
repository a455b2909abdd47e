/** Sending a change. */
import { DeletedError, hasAmbiguousOutcome, isKind } from "../errors";
import { Tries } from "../tries";
import { canBeUpdated } from "./ambiguous-write";
import type { Before, Written } from "./normalized";
import type { Context, Observed, Patch } from "./service";
import type { CheckedArguments } from "./state";

export interface PatchToSend {
  readonly id: string;
  readonly patch: Patch;
  readonly written: Written & { readonly before: Before };
  /** The arguments that the change leads to. */
  readonly declared: CheckedArguments;
}

/**
 * Sends a change. Settings may be sent twice, and the service's client retries them by itself. A revision may not: if a
 * response leaves it open, this looks for the revision before it sends again.
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
