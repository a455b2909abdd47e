/** The state after a step: what the service showed of a write becomes the record. No request and no clock. */
import { valueAt } from "../../schema/tree";
import { seenAfter } from "./baseline";
import type { Connected, Context } from "./context";
import { type Difference, differencesFrom } from "./drift";
import { madeBy } from "./identity";
import { newNormalizations } from "./normalizations";
import type { Accepted } from "./send";
import type { Observed } from "./service";
import { outputsFrom, type State } from "./state";
import type { Waited } from "./wait";

interface Recorded {
  readonly state: State;
  /** What the service made of the values that were sent, and no earlier response has shown. */
  readonly normalized: readonly Difference[];
  /** The last response may be stale: it shows other values than were sent, and nothing of the write. */
  readonly readAgain: boolean;
  /** No new revision appeared, and this was the second run that looked for it. */
  readonly isGivenUp: boolean;
}

/** @param before the state before the write; undefined for a new deployment */
export function recorded(
  accepted: Accepted,
  before: State | undefined,
  waited: Waited,
  context: Connected & Pick<Context, "secretPaths">,
): Recorded {
  const { declared, response } = accepted;
  const { end, observed, rollout } = waited;
  const isOthers = hasOthersRevision(waited);
  const shown = isOthers ? undefined : [response, observed].find((each) => isShown(accepted, before, each));
  const responses = { shown, observed };
  const isGivenUp = end === "no revision" && accepted.rollout === before?.private.rollout;
  const isDone = end === "active" && !declared.arguments.skipAwait;
  const state: State = {
    ...declared,
    observed: outputsFrom(observed),
    private: {
      takenOver: before?.private.takenOver,
      madeWith: madeBy(context, response, before),
      rollout: end === "active" || isGivenUp ? undefined : rollout,
      seen: seenAfter(accepted, responses, before, context),
    },
  };
  return {
    state,
    normalized: end === "stopped" ? [] : newNormalizations(accepted, responses, before),
    readAgain: isDone && !isOthers && !isShown(accepted, before, observed) && differs(accepted, observed),
    isGivenUp,
  };
}

/** Whether the response shows other values than were sent. */
function differs({ declared, sent }: Accepted, observed: Observed): boolean {
  return differencesFrom(declared.arguments, observed).some(({ path }) => valueAt(sent, path) !== undefined);
}

/** Whether a response reflects the write, and is not stale. */
function isShown(
  { sent, makesRevision, previous }: Accepted,
  before: State | undefined,
  { latestRevisionId, updatedAt }: Observed,
): boolean {
  if (before === undefined || Object.keys(sent).length === 0) return true;
  if (makesRevision) return latestRevisionId !== null && !previous.includes(latestRevisionId);
  return updatedAt === null || updatedAt !== before.observed.updatedAt;
}

/** If there is no new revision, or someone else has made a newer one, no response shows what the service made of the write. */
function hasOthersRevision({ end, observed: { latestRevisionId: latest }, rollout }: Waited): boolean {
  if (end === "no revision") return true;
  if (rollout === undefined || rollout.revision === null || latest === null) return false;
  return ![rollout.revision, ...rollout.previous].includes(latest);
}
