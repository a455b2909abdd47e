/** Recognizes the result of a call whose response was lost. */
import { isEqual, type Values, valueAt } from "../../schema/tree";
import { uploadPath } from "./baseline";
import { differencesFrom } from "./drift";
import { isDeleting, type Observed, type Patch } from "./service";
import type { CheckedArguments } from "./state";

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
  const shown = valueAt(observed, uploadPath);
  if (typeof uploaded === "string" && typeof shown === "string" && uploaded !== shown) return false;
  const hasStayed = differencesFrom(declared, observed).some(
    ({ path, observed: now }) => valueAt(sent, path) !== undefined && isEqual(now, valueAt(before, path)),
  );
  return !hasStayed && (sent["sourceRevisionConfig"] === undefined || runs(declared, observed));
}

/** Ignores case and prefixes, such as a registry or `refs/heads`. */
function runs({ sourceRevisionConfig }: CheckedArguments, observed: Observed): boolean {
  return differencesFrom({ sourceRevisionConfig }, observed).every(
    ({ declared, observed: now }) =>
      now === undefined || `/${String(now)}`.toLowerCase().endsWith(`/${String(declared)}`.toLowerCase()),
  );
}
