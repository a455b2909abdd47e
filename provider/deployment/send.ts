import { isKind, maybeDone, messageOf } from "../control-plane/errors";
import { pause } from "../limits";
import type { Context } from "./context";
import { GoneError } from "./errors";
import { isAsDeclared } from "./observe";
import type { Observed, Patch } from "./service";
import { argumentsIn, type Declared } from "./state";

const attempts = 3;

export interface Change {
  readonly id: string;
  readonly patch: Patch;
  readonly makesRevision: boolean;
  /** The revisions from before. */
  readonly previous: readonly string[];
  readonly declared: Declared;
}

/**
 * Sends a change. Settings may be sent twice, and the service's client does so by itself; a revision may not: after
 * an answer that leaves it open, this looks whether the revision was made before it sends again.
 */
export async function send(context: Context, change: Change): Promise<Observed> {
  const { service, clock } = context;
  const { id, patch, makesRevision, previous, declared } = change;
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.update(id, patch, { makesRevision });
    } catch (error) {
      if (isKind(error, "not-found")) throw new GoneError(error);
      if (!makesRevision || !maybeDone(error)) throw error;
      const observed = await service.overtime().read(id);
      const latest = observed?.latestRevisionId ?? null;
      const isNew = latest !== null && !previous.includes(latest);
      if (observed !== undefined && isNew && isAsDeclared(argumentsIn(declared), observed)) return observed;
      if (attempt >= attempts) throw error;
      if ((await pause(clock, context, 500 * 2 ** (attempt - 1), messageOf(error))) !== undefined)
        throw error;
    }
  }
}
