/** The state after a step, or of a deployment as it is found: what the service showed becomes the record. No request and no clock. */
import { formatPath, isEqual, isWithin, valueAt, type Values } from "../../schema/tree";
import { credentialPathsIn } from "../text/credential";
import type { Connected, Context } from "./context";
import { madeBy } from "./identity";
import { compare, type Row } from "./merge";
import { shownAfterWrite } from "./shown";
import type { PrivateState } from "./private-state";
import type { Observed } from "./service";
import { type Declared, outputsFrom, type State } from "./state";
import { firstRollout } from "./awaited-revision";
import type { Waited } from "./wait";
import * as texts from "./wait-messages";

/** A change as it was sent, or nothing, if the call only waits for an earlier one. */
export interface Change {
  /** With the content of the folder as uploaded. */
  readonly declared: Declared;
  /** What was sent of the arguments; empty if the call only waits. */
  readonly sent: Values;
  readonly makesRevision: boolean;
  /** The revisions from before the write, and when the deployment was last updated then. */
  readonly previous: readonly string[];
  readonly updatedBefore?: string | null;
  /** The first response. `observed` of the wait is the last one. */
  readonly response: Observed;
}

/** @param before the state before the write; undefined for a new deployment */
export function stateAfterStep(
  change: Change,
  waited: Waited,
  before: State | undefined,
  context: Connected & Pick<Context, "secretPaths">,
): { state: State; warnings: readonly string[] } {
  const { declared, sent, makesRevision, response } = change;
  const { observed, end, rollout } = waited;
  const { arguments: args } = declared;
  const canShow = mayShowWrite(waited);
  const shown = canShow ? [response, observed].find((each) => isShown(change, before, each)) : undefined;
  const mayShowLater = canShow && !makesRevision;
  // The second run that looks for this revision in vain stops waiting for it.
  const isGivenUp = end === "no revision" && !makesRevision;
  const state: State = {
    ...declared,
    observed: outputsFrom(observed),
    private: {
      madeWith: madeBy(context, before?.private.madeWith),
      rollout: end === "active" || isGivenUp ? undefined : rollout,
      ...shownAfterWrite({ ...context, args, before, live: observed }, sent, shown, mayShowLater),
    },
  };
  const changed = shown && end !== "stopped" ? normalized(change, shown, before) : [];
  return {
    state,
    warnings: [
      ...changed.map((each) => normalizationText(each, context)),
      ...(end === "no revision" ? [texts.notSeen(observed, isGivenUp)] : []),
    ],
  };
}

/** Whether a response reflects the write, and is not stale. */
function isShown(
  { sent, makesRevision, previous, updatedBefore }: Change,
  before: State | undefined,
  { latestRevisionId, updatedAt }: Observed,
): boolean {
  if (before === undefined || Object.keys(sent).length === 0) return true;
  if (makesRevision) return latestRevisionId !== null && !previous.includes(latestRevisionId);
  return updatedAt === null || updatedAt !== updatedBefore;
}

/** If someone else has made a newer revision, no response shows what the service made of the write. */
function mayShowWrite({ observed: { latestRevisionId: latest }, rollout }: Waited): boolean {
  if (rollout === undefined || rollout.revision === null || latest === null) return true;
  return [rollout.revision, ...rollout.previous].includes(latest);
}

/**
 * Values that the service stored differently from what was sent, and that were not told before; never secrets.
 *
 * @param live the first response that reflects the write: what differs later was changed by others
 */
function normalized(
  { sent, declared: { arguments: args } }: Change,
  live: Observed,
  before: State | undefined,
): Row[] {
  const rows = compare({ declared: args, live, shown: before?.private.shown, sent });
  return rows.filter(({ path, was, is, wants, whose }) => {
    // With a folder, the path of its configuration is sent relative to the archive's root, not as declared.
    const isAsSent = isEqual(valueAt(sent, path), is);
    const isKnown = isEqual(was, is ?? undefined) && isEqual(valueAt(before?.arguments, path), wants);
    return whose === "service" && !isAsSent && !isKnown;
  });
}

/** `the service stored sourceConfig.resourceSpec.cpu as 0.6 instead of 0.55` */
export function normalizationText(
  { path, wants, is }: Row,
  { secretPaths = [] }: Pick<Context, "secretPaths">,
): string {
  const place = formatPath(path);
  const short = `the service changed the value that was sent for ${place}`;
  const isSecret = secretPaths.some((secret) => isWithin(path, secret) || isWithin(secret, path));
  if (isSecret || [wants, is].some((each) => credentialPathsIn(each).length > 0)) return short;
  return `the service stored ${place} as ${JSON.stringify(is) ?? "nothing"} instead of ${JSON.stringify(wants)}`;
}

/**
 * The state of a deployment that no program has declared so far: it is adopted or imported.
 *
 * @param declared the arguments that it has, as far as they are declared
 * @param known what is remembered besides what it shows
 */
export function stateAsFound(
  declared: { readonly arguments: Values; readonly generation: number },
  observed: Observed,
  { dialect }: Pick<Context, "dialect">,
  known: Pick<PrivateState, "madeWith" | "rollout">,
): State {
  const { arguments: args } = declared;
  const before = { arguments: {}, private: {} };
  const shown = shownAfterWrite({ args, before, live: observed, dialect }, args, observed);
  return {
    ...declared,
    observed: outputsFrom(observed),
    private: { ...known, rollout: known.rollout ?? firstRollout(observed), ...shown },
  };
}
