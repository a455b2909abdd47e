import { GoneError, isKind, maybeDone } from "../errors";
import { pause } from "../limits";
import type { Context } from "./context";
import { canBeUpdated } from "./recognize";
import type { Observed, Patch } from "./service";
import type { Declared } from "./state";
import type { Before, Written } from "./written";

const attempts = 3;

export interface Change {
  readonly id: string;
  readonly patch: Patch;
  readonly written: Written & { readonly before: Before };
  readonly declared: Declared;
}

/**
 * Sends a change. Settings may be sent twice, and the service's client does so by itself; a revision may not: after
 * an answer that leaves it open, this looks whether the revision was made before it sends again.
 */
export async function send(context: Context, change: Change): Promise<Observed> {
  const { service, clock } = context;
  const { id, patch, written, declared } = change;
  const makesRevision = written.makesRevision ?? false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.update(id, patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) throw new GoneError(error);
      if (!makesRevision || !maybeDone(error)) throw error;
      const observed = await service.overtime().read(id);
      if (observed !== undefined && canBeUpdated(written.sent, written.before, declared, observed))
        return observed;
      if (attempt >= attempts) throw error;
      if ((await pause(clock, context, 500 * 2 ** (attempt - 1), error as Error)) !== undefined) throw error;
    }
  }
}
