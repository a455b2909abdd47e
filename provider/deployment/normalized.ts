/**
 * Normalization by the service: it may round numbers, respell strings, add or drop list items, and show another value for a
 * secret.
 *
 * The response to a write shows it. Each pair of sent and shown values is reported once, and is not drift as long as both stay
 * the same. For secrets, only the path is recorded, and they are not compared.
 */
import { formatPath, isEqual, type Path, type Values, valueAt } from "../../schema/tree";
import { type Difference, differencesFrom, withDifferences, withDrift } from "./drift";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { Normalization } from "./private-state";
import { isSecretly } from "./state";

/** What a call wrote. */
export interface Written {
  /** Empty if the call only waited. */
  readonly sent: Values;
  /** Undefined for a new deployment. */
  readonly before?: Before | undefined;
  readonly makesRevision?: boolean;
}

/** The deployment before a call. */
export interface Before {
  readonly arguments: Values;
  readonly updatedAt: string | null | undefined;
  readonly revisions: readonly string[];
  readonly normalizations?: readonly Normalization[] | undefined;
}

/**
 * The normalizations known after a write. If the response showed the value as sent, or a third value, it was changed after the
 * write, which is drift. Values that no response has shown yet are left to the next refresh.
 *
 * @param declared the arguments
 * @param response to the write itself
 * @param observed the last response, after the rollout if there was one
 */
export function normalizedAfter(
  written: Written,
  declared: Values,
  response: Observed,
  observed: Observed,
): readonly Normalization[] {
  const { sent, before, makesRevision } = written;
  const wasSent = ({ path }: { path: Path }) => valueAt(sent, path) !== undefined;
  const kept = (before?.normalizations ?? []).filter((each) => !wasSent(each) && isAbout(each, declared));
  const differences = differencesFrom(declared, observed).filter(wasSent);
  if (!isShown(written, observed)) {
    return [...kept, ...differences.filter(() => !makesRevision).map(({ path }) => ({ path }))];
  }
  const first = isShown(written, response) ? response : observed;
  const shownFirst = withDrift(declared, first);
  const isNormalized = ({ path, declared: value, seen }: Difference) =>
    isSecret(path)
      ? valueAt(first.secrets, path.slice(1)) !== value
      : isEqual(valueAt(shownFirst, path), seen);
  return [...kept, ...differences.filter(isNormalized).map(pairOf)];
}

/** Whether the response shows other values than were sent and may be stale, so that another read is needed. */
export function mayLag(written: Written, declared: Values, observed: Observed): boolean {
  if (isShown(written, observed)) return false;
  return differencesFrom(declared, observed).some(({ path }) => valueAt(written.sent, path) !== undefined);
}

/** Whether a response reflects the write, and is not stale. */
function isShown({ before, makesRevision }: Written, { latestRevisionId, updatedAt }: Observed): boolean {
  if (before === undefined) return true;
  if (makesRevision) return latestRevisionId !== null && !before.revisions.includes(latestRevisionId);
  return updatedAt === null || updatedAt !== before.updatedAt;
}

function isSecret([name]: Path): boolean {
  return name === "secrets";
}

function pairOf({ path, declared, seen }: Difference): Normalization {
  if (isSecret(path)) return { path, ...(seen === undefined && { isMissing: true }) };
  return { path, sent: declared, shown: seen };
}

/** Whether the value that was sent is still the declared one. */
function isAbout({ path, sent }: Normalization, declared: Values): boolean {
  const value = valueAt(declared, path);
  return sent === undefined ? value !== undefined : isEqual(value, sent);
}

/** Warns of each new normalization, except those of `secrets`. */
export function reportNormalizations(
  { log, secretPaths }: Pick<Context, "log" | "secretPaths">,
  name: string,
  found: readonly Normalization[],
  known: readonly Normalization[] = [],
): void {
  for (const each of found.filter(({ sent }) => sent !== undefined)) {
    const isHidden = isSecretly(each, secretPaths);
    if (known.some((other) => isEqual(other, each) || (isHidden && isEqual(other.path, each.path)))) continue;
    log.warning(`${name}: the service ${isHidden ? valueChanged(each) : describeNormalization(each)}`);
  }
}

/** In characters; longer values are not shown. */
const longestDescription = 250;

function describeNormalization(normalization: Normalization): string {
  const { path, sent, shown } = normalization;
  const text =
    shown === undefined
      ? `dropped ${formatPath(path)}, which was sent as ${JSON.stringify(sent)}`
      : `stored ${formatPath(path)} as ${JSON.stringify(shown)} instead of ${JSON.stringify(sent)}`;
  return text.length <= longestDescription ? text : valueChanged(normalization);
}

/** For secrets, and for values that are too long to show. */
function valueChanged({ path }: Normalization): string {
  return `changed the value that was sent for ${formatPath(path)}`;
}

export interface DetectedDrift {
  /** The declared arguments, updated with changes made outside of the program. */
  readonly arguments: Values;
  readonly normalizations: readonly Normalization[];
}

/** Compares the declared arguments with the service, and ignores known normalizations. */
export function detectDrift(
  declared: Values,
  observed: Observed,
  known: readonly Normalization[] = [],
): DetectedDrift {
  const differences = differencesFrom(declared, observed);
  const seen = withDifferences(declared, differences);
  const undone = differences.filter((each) => known.some((pair) => explains(pair, each)));
  return {
    arguments: withDifferences(
      declared,
      differences.filter((each) => !undone.includes(each)),
    ),
    normalizations: known.flatMap((each) => {
      if (isSecret(each.path)) return [each];
      const shown = undone.find(({ path }) => isEqual(path, each.path));
      if (shown !== undefined) return [pairOf(shown)];
      // The service shows what was sent, so it no longer normalizes it.
      const isRefuted = each.sent === undefined || isEqual(valueAt(seen, each.path), each.sent);
      return isRefuted ? [] : [each];
    }),
  };
}

/** Whether a known normalization explains a difference. */
function explains({ path, sent, shown, isMissing }: Normalization, difference: Difference): boolean {
  const { path: place, declared, seen } = difference;
  if (sent !== undefined) return isEqual([path, sent, shown], [place, declared, seen]);
  return isEqual(path, place) && (seen !== undefined || !isSecret(path) || isMissing === true);
}
