/**
 * What the service makes of what it is sent: it rounds numbers, spells texts its own way, adds members to lists or drops
 * them, and shows something else for a secret.
 *
 * The response to a write shows it. Each pair of a value that was sent and the value shown for it is told once, and is no
 * drift while both stay as they are. Of secrets only the path is remembered: they are not compared.
 */
import {
  type Difference,
  differencesBetween,
  formatPath,
  isEqual,
  type Path,
  type Values,
  valueAt,
} from "../../schema/tree";
import { withDrift, withoutDifferences } from "./drift";
import type { Context, Observed } from "./service";
import { argumentsIn, type Declared, isSecretly, type Normalized, type Stored } from "./state";
import { nextPoll } from "./wait";

/** What a call wrote. */
export interface Written {
  /** Nothing where a call only waited. */
  readonly sent: Values;
  /** Undefined for a new deployment. */
  readonly before?: Before | undefined;
  readonly makesRevision?: boolean;
}

/** The deployment before a call. */
export interface Before {
  readonly values: Values;
  readonly updatedAt: unknown;
  readonly revisions: readonly string[];
  readonly normalizations?: readonly Normalized[] | undefined;
}

export interface Judged {
  readonly observed: Observed;
  readonly normalizations: readonly Normalized[];
}

/**
 * What the service made of a write. A response may lag behind it: then one more is read.
 *
 * @param response to the write itself
 * @param last what was seen last, after the rollout if there was one
 */
export async function judge(
  context: Context,
  declared: Declared,
  written: Written,
  response: Observed,
  last: Observed,
): Promise<Judged> {
  const readsAgain =
    !declared.skipAwait &&
    !isShown(written, last) &&
    differencesOf(declared, last).some(({ path }) => valueAt(written.sent, path) !== undefined);
  const next = readsAgain ? await nextPoll(context, last.id) : undefined;
  const observed = typeof next !== "object" || next instanceof Error ? last : next;
  const normalizations = normalizedAfter(written, declared, response, observed);
  tell(context, declared, normalizations, written.before?.normalizations);
  return { observed, normalizations };
}

/**
 * What is known after a write. If the response to it showed a value as it was sent, or not as it is shown now, somebody has
 * changed that since: it is drift. What no response has shown yet, the next refresh looks at.
 */
export function normalizedAfter(
  written: Written,
  declared: Declared,
  response: Observed,
  observed: Observed,
): readonly Normalized[] {
  const { sent, before, makesRevision } = written;
  const wasSent = ({ path }: { path: Path }) => valueAt(sent, path) !== undefined;
  const kept = (before?.normalizations ?? []).filter((each) => !wasSent(each) && isAbout(each, declared));
  const differences = differencesOf(declared, observed).filter(wasSent);
  if (!isShown(written, observed)) {
    return [...kept, ...differences.filter(() => !makesRevision).map(({ path }) => ({ path }))];
  }
  const first = isShown(written, response) ? response : observed;
  const shownFirst = withDrift(argumentsIn(declared), first);
  const isNormalized = ({ path, declared: value, seen }: Difference) =>
    isSecret(path)
      ? valueAt(first.secrets, path.slice(1)) !== value
      : isEqual(valueAt(shownFirst, path), seen);
  return [...kept, ...differences.filter(isNormalized).map(pairOf)];
}

/** Whether a response shows what was written, and not only what was there before. */
function isShown({ before, makesRevision }: Written, { latestRevisionId, updatedAt }: Observed): boolean {
  if (before === undefined) return true;
  if (makesRevision) return latestRevisionId !== null && !before.revisions.includes(latestRevisionId);
  return updatedAt === null || updatedAt !== before.updatedAt;
}

function differencesOf(declared: Values, observed: Observed): Difference[] {
  const args = argumentsIn(declared);
  return differencesBetween(args, withDrift(args, observed));
}

function isSecret([name]: Path): boolean {
  return name === "secrets";
}

function pairOf({ path, declared, seen }: Difference): Normalized {
  if (isSecret(path)) return { path, ...(seen === undefined && { isMissing: true }) };
  return { path, sent: declared, shown: seen };
}

/** Whether the value that was sent is still the declared one. */
function isAbout({ path, sent }: Normalized, declared: Values): boolean {
  const value = valueAt(declared, path);
  return sent === undefined ? value !== undefined : isEqual(value, sent);
}

/** Warns of each normalization that was not known before. What is shown for a secret is not worth a warning. */
export function tell(
  { log, secretPaths }: Pick<Context, "log" | "secretPaths">,
  { name }: Stored,
  found: readonly Normalized[],
  known: readonly Normalized[] = [],
): void {
  for (const each of found.filter(({ sent }) => sent !== undefined)) {
    const isHidden = isSecretly(each, secretPaths);
    if (known.some((other) => isEqual(other, each) || (isHidden && isEqual(other.path, each.path)))) continue;
    const text = isHidden ? "otherwise than it was sent" : textOf(each);
    log.warning(`${name}: the service took ${formatPath(each.path)} ${text}`);
  }
}

function textOf({ sent, shown }: Normalized): string {
  if (shown === undefined) return `as nothing, not as ${JSON.stringify(sent)}`;
  const text = `as ${JSON.stringify(shown)}, not as ${JSON.stringify(sent)}`;
  return text.length <= 200 ? text : "otherwise than it was sent";
}

export interface Drift {
  /** The declared values, with what somebody changed put in. */
  readonly values: Values;
  readonly normalizations: readonly Normalized[];
}

/** What a refresh finds. */
export function driftOf(declared: Values, observed: Observed, known: readonly Normalized[] = []): Drift {
  const seen = withDrift(declared, observed);
  if (known.length === 0) return { values: seen, normalizations: known };
  const differences = differencesBetween(declared, seen);
  const undone = differences.filter((each) => known.some((pair) => explains(pair, each)));
  return {
    values: withoutDifferences(seen, undone),
    normalizations: known.flatMap((each) => {
      if (isSecret(each.path)) return [each];
      const shown = undone.find(({ path }) => isEqual(path, each.path));
      if (shown !== undefined) return [pairOf(shown)];
      // The service shows what was sent: it normalizes it no more.
      const isRefuted = each.sent === undefined || isEqual(valueAt(seen, each.path), each.sent);
      return isRefuted ? [] : [each];
    }),
  };
}

/** Whether a difference is what the service is known to make of the value. */
function explains({ path, sent, shown, isMissing }: Normalized, difference: Difference): boolean {
  const { path: place, declared, seen } = difference;
  if (sent !== undefined) return isEqual([path, sent, shown], [place, declared, seen]);
  return isEqual(path, place) && (seen !== undefined || !isSecret(path) || isMissing === true);
}
