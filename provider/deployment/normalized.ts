/**
 * What the service made of what it was sent: numbers that it rounds or limits, texts that it spells its own way,
 * members that it adds to a list or drops, and what it shows in place of a secret.
 *
 * Only what a call sent can have been normalized by it. That is told once, and is no drift for as long as the same value
 * is declared and the same one is shown. Values are remembered as digests, since any of them may be a secret.
 */
import { createHash } from "node:crypto";
import { formatPath } from "../../schema/problems";
import type { Context, Observed } from "./service";
import {
  type Difference,
  differencesBetween,
  isHidden,
  isOpaque,
  valueIn,
  type ValuePath,
  withDrift,
  withoutDifferences,
} from "./drift";
import { argumentsIn, type Declared, type Normalized } from "./state";
import { isEqual, isObject, type Values } from "../values";
import { nextPoll } from "./wait";

/**
 * What is known after a call: what it sent as the response shows it, and all else as it was.
 *
 * @param canBeNormalized whether a difference can be the service's work, and not somebody's change
 */
export function normalizedAfter(
  sent: Values,
  declared: Declared,
  observed: Observed,
  known: readonly Normalized[] = [],
  canBeNormalized: (difference: Difference) => boolean = () => true,
): readonly Normalized[] {
  const wasSent = ({ path }: { path: ValuePath }) => valueIn(sent, path) !== undefined;
  const kept = known.filter((each) => !wasSent(each) && isAbout(each, observed.id, declared));
  const fresh = shownOtherwise(argumentsIn(declared), observed).filter(wasSent).filter(canBeNormalized);
  return [...kept, ...fresh.map((each) => normalizedBy(each, observed.id, known))];
}

/** What is declared and shown otherwise, a part of a secret's value behind a mask included. */
function shownOtherwise(declared: Values, observed: Observed): Difference[] {
  return differencesBetween(declared, withDrift(declared, observed, isOpaque));
}

function normalizedBy(
  { path, declared, seen }: Difference,
  id: string,
  known: readonly Normalized[],
): Normalized {
  const [sent, taken] = [digestOf(id, path, declared), digestOf(id, path, seen)];
  const before = known.find((each) => isSamePath(each.path, path) && each.sent === sent);
  // A mask with chance in it says nothing of the secret behind it.
  const isChance = isSecret(path) && before !== undefined && before.taken !== taken;
  return { path, sent, taken: isChance ? null : taken };
}

/** What a call newly finds normalized, and is worth telling: what is shown for a secret is not. */
export function tell(
  { log, secretPaths }: Pick<Context, "log" | "secretPaths">,
  declared: Declared,
  observed: Observed,
  found: readonly Normalized[],
  known: readonly Normalized[] = [],
): void {
  const seen = withDrift(argumentsIn(declared), observed);
  for (const { path } of found.filter((each) => !isSecret(each.path) && isNew(each, known))) {
    const values = isSecretPath(path, secretPaths)
      ? ""
      : textOf(valueIn(declared, path), valueIn(seen, path));
    log.warning(
      `${declared.name}: the service took ${formatPath(path)} ${values || "otherwise than it was sent"}`,
    );
  }
}

/** Whether this was not known before. */
export function isNew({ path, sent, taken }: Normalized, known: readonly Normalized[] = []): boolean {
  return !known.some((each) => isSamePath(each.path, path) && each.sent === sent && each.taken === taken);
}

function textOf(sent: unknown, taken: unknown): string {
  if (taken === undefined) return `as nothing, not as ${JSON.stringify(sent)}`;
  const text = `as ${JSON.stringify(taken)}, not as ${JSON.stringify(sent)}`;
  return text.length <= 200 ? text : "";
}

function isSecretPath(path: ValuePath, secretPaths: readonly string[] = []): boolean {
  const text = path.join(".");
  return secretPaths.some(
    (each) => text === each || text.startsWith(`${each}.`) || each.startsWith(`${text}.`),
  );
}

export interface Drift {
  /** The declared values, with what somebody changed put in. */
  readonly values: Values;
  readonly normalized: readonly Normalized[];
}

/** What a refresh finds. */
export function driftOf(declared: Values, observed: Observed, known: readonly Normalized[] = []): Drift {
  const { id } = observed;
  const seen = withDrift(declared, observed, isOpaque);
  const differences = differencesBetween(declared, seen);
  const undone = differences.filter((each) => isExpected(each, id, known));
  // The service shows what is declared: what was taken for a normalization was none.
  const isRefuted = (each: Normalized) =>
    !isSecret(each.path) &&
    isAbout(each, id, declared) &&
    !differences.some(({ path }) => isSamePath(path, each.path.slice(0, path.length)));
  return {
    values: withoutDifferences(seen, undone),
    normalized: known.filter((each) => !isRefuted(each)),
  };
}

function isExpected({ path, declared, seen }: Difference, id: string, known: readonly Normalized[]): boolean {
  const sent = digestOf(id, path, declared);
  const remembered = known.find((each) => isSamePath(each.path, path) && each.sent === sent);
  if (remembered === undefined) return isSecret(path) && seen !== undefined && isHidden(seen);
  if (remembered.taken === null) return seen !== undefined;
  return remembered.taken === digestOf(id, path, seen);
}

/** Whether a value is the one that the service is known to show at this path. */
export function isKnownAt(
  path: ValuePath,
  seen: unknown,
  id: string,
  known: readonly Normalized[] = [],
): boolean {
  const taken = digestOf(id, path, seen);
  return known.some((each) => isSamePath(each.path, path) && each.taken === taken);
}

/** Whether the value that was sent is still the declared one. */
function isAbout({ path, sent }: Normalized, id: string, declared: Values): boolean {
  return digestOf(id, path, valueIn(declared, path)) === sent;
}

export function isSecret([name]: ValuePath): boolean {
  return name === "secrets";
}

function isSamePath(a: ValuePath, b: ValuePath): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/** Salted with the deployment and the path, so that equal values of two of them cannot be told. */
function digestOf(id: string, path: ValuePath, value: unknown): string {
  const text = JSON.stringify([id.toLowerCase(), path, ...(value === undefined ? [] : [sorted(value)])]);
  return createHash("sha256").update(text).digest("base64url");
}

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return { members: keys.map((key) => [key, sorted(value[key])]) };
}

/** What a call wrote, and from which response on it can be judged what the service made of that. */
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

/** Responses to read when one still shows all as it was. */
const furtherReads = 3;

/**
 * Judges what the service made of a write. A response may lag behind it: one that shows nothing of the change is looked at
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
  for (let reads = 0; reads < furtherReads && !isShown(written, declared, observed); reads++) {
    if (declared.skipAwait || !normalized.some((each) => isNew(each, known))) break;
    const next = await nextPoll(context, observed.id);
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
 * another text in each response.
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

/** Whether a response shows what was written, and not what was there before. */
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
