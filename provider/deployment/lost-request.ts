/** Recognizes the result of a call whose response was lost, in this run or in one that was killed. */
import { isEqual, isObject, isWithin, type Values, valueAt } from "../../schema/tree";
import type { Context } from "./context";
import type { FieldChange } from "./field-change";
import { aligned, argumentsIn, compare, differencesFrom, isDrift, merge, shownAt } from "./merge";
import { outcomeOf } from "./awaited-revision";
import { isDeleting, type Observed, type Patch } from "./service";
import { uploadPath } from "./shown";
import { type CheckedArguments, revisionsIn, type State } from "./state";

/**
 * Whether a POST may have created the deployment of that name: its source and time match, and it runs what was sent. The
 * service may have normalized everything else.
 *
 * @param earliest time of creation by the service's clock, in milliseconds since the epoch
 */
export function isLikelyResultOfPost(
  declared: CheckedArguments,
  observed: Observed,
  earliest: number,
): boolean {
  const isNew = Date.parse(observed.createdAt ?? "") >= earliest;
  const isOwn = !isDeleting(observed) && observed.owner === undefined;
  return isNew && isOwn && observed.source === declared.source && runs(declared, observed);
}

/** A PATCH. */
export interface SentUpdate {
  readonly patch: Patch;
  /** The revisions from before. */
  readonly previous: readonly string[];
  /** The arguments that the service has afterwards. */
  readonly intended: CheckedArguments;
}

/** Whether a PATCH may have made the new revision: it runs what was sent, and no changed value still has its old value. */
export function isLikelyResultOfPatch(
  { patch: sent, previous, intended: declared }: SentUpdate,
  before: Values,
  observed: Observed,
): boolean {
  const { latestRevisionId: latest } = observed;
  if (latest === null || previous.includes(latest)) return false;
  const uploaded = valueAt(sent, uploadPath);
  const live = valueAt(observed, uploadPath);
  if (typeof uploaded === "string" && typeof live === "string" && uploaded !== live) return false;
  const hasStayed = differencesFrom(declared, observed).some(
    ({ path, is }) => valueAt(sent, path) !== undefined && isEqual(is, valueAt(before, path)),
  );
  return !hasStayed && (sent["sourceRevisionConfig"] === undefined || runs(declared, observed));
}

/** Ignores case and prefixes, such as a registry or `refs/heads`. */
function runs({ sourceRevisionConfig }: CheckedArguments, observed: Observed): boolean {
  return differencesFrom({ sourceRevisionConfig }, observed).every(
    ({ wants, is }) =>
      is === undefined || `/${String(is)}`.toLowerCase().endsWith(`/${String(wants)}`.toLowerCase()),
  );
}

/**
 * What is left to send: the service may have some of it already, from a run that was killed, or from someone else. A revision counts
 * as made only if it was made since the last operation of this stack and runs exactly what is declared.
 */
export function remainderOf(
  changes: readonly FieldChange[],
  { arguments: old, observed: last, private: { shown, sent, rollout } }: State,
  declared: CheckedArguments,
  live: Observed,
  { dialect, ignoreChanges = [] }: Pick<Context, "dialect" | "ignoreChanges">,
): readonly FieldChange[] {
  const previous = [...revisionsIn(last), rollout?.revision, ...(rollout?.previous ?? [])];
  const isStale = Date.parse(live.updatedAt ?? "") < Date.parse(last.updatedAt ?? "");
  if (isStale || sent !== undefined) return changes;
  const rows = compare({ declared, live, shown, ignoreChanges });
  const values = argumentsIn(live);
  const isThere = ({ path, inMap }: FieldChange) => {
    const [before, wants] = [old, declared].map((each) => valueAt(each, path));
    const is = aligned(wants, shownAt(values, path));
    // A secret that is `null` is there, and hidden.
    if (wants === undefined)
      return (
        (is === null && path[0] !== "secrets") ||
        (inMap !== undefined && is === undefined && isObject(shownAt(values, path.slice(0, -1))))
      );
    const isOpen = rows.some(
      ({ whose, path: at }) =>
        whose !== "others" && whose !== "ignored" && (isWithin(at, path) || isWithin(path, at)),
    );
    if (is === undefined || isOpen) return false;
    // What the program no longer declares in it may still be there.
    return typeof wants !== "object" || isEqual(merge({ before, is, wants, at: path, ignoreChanges }), is);
  };
  const revising = changes.filter(({ effect }) => effect === "revision");
  const isNewest = live.latestRevisionId !== null && !previous.includes(live.latestRevisionId);
  const hasEnded = outcomeOf(live, dialect) !== undefined;
  const isMade = isNewest && !hasEnded && !rows.some(isDrift) && revising.every(isThere);
  return changes.filter((each) => (each.effect === "revision" ? !isMade : !isThere(each)));
}
