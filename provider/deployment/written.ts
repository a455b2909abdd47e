/** What a call wrote, and from which answer on it can be judged what the service made of that. */
import type { Context } from "./context";
import { differencesBetween, valueIn, type Difference, type ValuePath } from "./differences";
import { isKnownAt, isNew, isSecret, normalizedAfter, tell, type Normalized } from "./normalized";
import { isHidden, isOpaque, withDrift } from "./observe";
import { nextLook } from "./rollout";
import type { Observed } from "./service";
import { argumentsIn, type Declared } from "./state";
import { isEqual, type Values } from "../values";

export interface Written {
  /** What was sent; nothing where a call only waited. */
  readonly sent: Values;
  /** The deployment before; undefined for a new one. */
  readonly before?: Before | undefined;
  readonly makesRevision?: boolean;
}

export interface Before {
  readonly values: Values;
  readonly updatedAt: unknown;
  readonly revisions: readonly string[];
  readonly normalized?: readonly Normalized[] | undefined;
}

/** Answers to look at when one still shows all as it was. */
const furtherLooks = 3;

/**
 * Judges what the service made of a write. An answer may lag behind it: one that shows nothing of the change is looked at
 * again a few times, where it would be a reason to say that the service took something otherwise.
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
): Promise<{ readonly observed: Observed; readonly normalized: readonly Normalized[] }> {
  const known = written.before?.normalized;
  let observed = last;
  let normalized = normalizedFrom(written, declared, response, observed);
  for (let looks = 0; looks < furtherLooks && !isShown(written, declared, observed); looks++) {
    if (declared.skipAwait || !normalized.some((each) => isNew(each, known))) break;
    const next = await nextLook(context, observed.id);
    if (next === undefined || typeof next === "string" || next instanceof Error) break;
    observed = next;
    normalized = normalizedFrom(written, declared, response, observed);
  }
  // Whoever does not wait has perhaps only seen what was there before: that judges nothing.
  if (declared.skipAwait && !isShown(written, declared, observed)) {
    return { observed, normalized: normalizedAfter({}, declared, observed, known) };
  }
  tell(context, declared, observed, normalized, known);
  return { observed, normalized };
}

/**
 * What the service made of a write, as it is seen later. What the response to the write did not show, and what it did not
 * leave as it was before either, is somebody's change since then. A secret may be masked after a response in clear, and by
 * another text in each answer.
 */
export function normalizedFrom(
  { sent, before }: Written,
  declared: Declared,
  response: Observed,
  observed: Observed,
): readonly Normalized[] {
  const shown = withDrift(argumentsIn(declared), response, isOpaque);
  const canBeNormalized = ({ path, declared: wanted, seen }: Difference) => {
    const first = valueIn(shown, path);
    if (isEqual(first, seen)) return true;
    if (isSecret(path)) return !isEqual(first, wanted) || isHidden(seen);
    // A response that lags behind shows nothing yet of what it will be.
    return !isEqual(first, wanted) && before !== undefined && isAsBefore(path, first, before, response);
  };
  return normalizedAfter(sent, declared, observed, before?.normalized, canBeNormalized);
}

/** Whether an answer shows what was written, and not what was there before. */
export function isShown(
  { before, makesRevision, sent }: Written,
  declared: Declared,
  observed: Observed,
): boolean {
  if (before === undefined) return true;
  const { latestRevisionId: latest } = observed;
  if (makesRevision) return latest !== null && !before.revisions.includes(latest);
  if (timeOf(observed.updatedAt) > timeOf(before.updatedAt)) return true;
  const seen = withDrift(argumentsIn(declared), observed);
  return differencesBetween(argumentsIn(declared), before.values)
    .filter(({ path }) => valueIn(sent, path) !== undefined)
    .some(({ path }) => !isAsBefore(path, valueIn(seen, path), before, observed));
}

/** Whether a value is what it was: what the program knew, or what the service made of that. */
export function isAsBefore(path: ValuePath, seen: unknown, before: Before, { id }: Observed): boolean {
  return isEqual(seen, valueIn(before.values, path)) || isKnownAt(path, seen, id, before.normalized);
}

function timeOf(time: unknown): number {
  return typeof time === "string" ? Date.parse(time) : NaN;
}
