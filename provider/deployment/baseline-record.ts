/** Records the baseline (`baseline.ts`): what the service shows when it is found, after a write, and after a read. */
import type { Leaf } from "../../schema/fields";
import type { Row } from "../../schema/rows";
import {
  asObject,
  isEqual,
  isObject,
  isWithin,
  mapValues,
  type Path,
  treeOf,
  valueAt,
  type Values,
  withoutAbsent,
} from "../../schema/tree";
import { contentKey } from "./internal-inputs";
import { credentialPathsIn, credentialPathsOf, hasCredentials } from "../text/credential";
import {
  compared,
  type Mark,
  isRecordedUndeclared,
  marked,
  markIn,
  type Seen,
  seenAt,
  secretsOfOthers,
  undeclaredAmong,
  uploadPath,
} from "./baseline";
import { argumentsIn, type Difference, differencesFrom, differencesIn, isHidden } from "./drift";
import { effectOfRow, isImmutable, isOnceActive } from "./field-change";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { State } from "./state";

/** What a baseline is recorded for. */
interface Recording extends Pick<Context, "dialect" | "secretPaths"> {
  /** The declared arguments. */
  readonly args: Values;
  /** Undefined for a new deployment. */
  readonly before: Pick<State, "arguments" | "private"> | undefined;
  /** The last response; undefined if there was no request. */
  readonly observed?: Observed;
}

/** The baseline of a deployment that is found as it is. */
export function seenAsFound(
  args: Values,
  observed: Observed,
  context: Pick<Context, "dialect" | "secretPaths">,
): Seen {
  const shown = argumentsIn(observed);
  const before = { arguments: {}, private: { takenOver: true } };
  const markFor = (name: string) => marked(markOf(name, args, observed));
  return recorded({ ...context, args, before, observed }, (path) => seenAt(shown, path), markFor, observed);
}

/**
 * The baseline after a write.
 *
 * | Argument               | Baseline, if a response reflects the write          | Baseline, if none does             |
 * | ---------------------- | --------------------------------------------------- | ---------------------------------- |
 * | Declared and sent      | What the first such response shows                  | The old one, if declared as before |
 * |                        |                                                     | Otherwise what was sent, or `late` |
 * | Path of an upload      | What was sent, otherwise the old one                | The same                           |
 * | Declared, not sent     | The old one                                         | The same                           |
 * | `onceActive`, not sent | The old one, otherwise what the last response shows | The same                           |
 * | Not declared           | What the last response shows, otherwise the old one | The old one                        |
 *
 * @param sent what was sent of the declared arguments
 * @param shown the first response that reflects the write, if one does: what changes after that was changed by others
 * @param mayShowLater whether a later response may reflect the write, if none does so far
 */
export function seenAfter(
  recording: Recording & { readonly observed: Observed },
  sent: Values,
  shown: Observed | undefined,
  mayShowLater = false,
): Seen {
  const { args, before, observed } = recording;
  const [first, last] = [shown && argumentsIn(shown), argumentsIn(observed)];
  const isAsBefore = (path: Path) => isEqual(valueAt(args, path), valueAt(before?.arguments, path));
  const valueFor = (path: Path) => {
    const [known, declared, own] = [knownAt(before, path), valueAt(args, path), valueAt(sent, path)];
    if (!isDeclared(args, path)) return shown ? unlessMissing(seenAt(last, path), known) : known;
    // A declared folder gives this path no value: the baseline is the last upload.
    if (declared === undefined) return own ?? known;
    if (own === undefined) return unlessMissing(known, isOnceActive(path) ? seenAt(last, path) : undefined);
    if (first !== undefined) return withKept(seenAt(first, path), declared, own, known);
    const isLate = mayShowLater && !isEqual(seenAt(last, path), declared);
    if (isAsBefore(path)) return known;
    return isLate ? marked("late") : withKept(own, declared, own, known);
  };
  const markFor = (name: string) => {
    const path = ["secrets", name];
    if (valueAt(sent, path) === undefined) return knownMark(before, name);
    if (shown) return marked(markOf(name, args, shown, observed));
    return isAsBefore(path) ? knownMark(before, name) : marked("as sent");
  };
  return recorded(recording, valueFor, markFor, shown && observed);
}

/** The baseline after a read. The arguments contain the drift. */
export function seenAfterRead(
  recording: Recording & { readonly observed: Observed },
  drift: readonly Difference[],
): Seen {
  const { args, before, observed } = recording;
  const shown = argumentsIn(observed);
  const markFor = (name: string) => {
    const path = ["secrets", name];
    // A service may show a secret in several ways, so what was hidden once stays so until it is sent again.
    const isDrift = drift.some((each) => isEqual(each.path, path));
    const known = isDrift ? undefined : markIn(seenAt(before?.private.seen, path));
    return marked(known ?? markOf(name, args, observed));
  };
  const valueFor = (path: Path) => unlessMissing(seenAt(shown, path), knownAt(before, path));
  return recorded(recording, valueFor, markFor, observed);
}

/** The last baseline, if only the arguments or their secrecy change. */
export function seenFor(recording: Recording): Seen {
  const { before } = recording;
  return recorded(
    recording,
    (path) => knownAt(before, path),
    (name) => knownMark(before, name),
  );
}

/** What the service showed before: as it was declared, if the baseline holds nothing else. */
function knownAt(before: Recording["before"], path: Path): unknown {
  return unlessMissing(seenAt(before?.private.seen, path), valueAt(before?.arguments, path));
}

function knownMark(before: Recording["before"], name: string): unknown {
  const path = ["secrets", name];
  const declared = valueAt(before?.arguments, path);
  return seenAt(before?.private.seen, path) ?? (declared === undefined ? undefined : marked("as sent"));
}

/**
 * Records what is declared, and what counts as declared before. Later responses never replace what is immutable.
 *
 * @param valueFor the value that the baseline has at a path
 * @param markFor the mark of a declared secret
 * @param listing the response that shows which secrets others have, if one does
 */
function recorded(
  { args, before, observed, dialect, secretPaths }: Recording,
  valueFor: (path: Path) => unknown,
  markFor: (name: string) => unknown,
  listing?: Observed,
): Seen {
  const runs = observed === undefined || observed.latestRevisionId === observed.activeRevisionId;
  /** What a revision that does not run would bring is not recorded, except at first: declaring it is a change. */
  const doesNotRun = (row: Row<Leaf>, value: unknown) =>
    before !== undefined &&
    !runs &&
    !isEqual(value, knownAt(before, row.path)) &&
    effectOfRow(row, dialect) === "revision";
  const valueOf = (row: Row<Leaf>): unknown => {
    const { path } = row;
    const isFixed = isImmutable(row, dialect);
    const value = unlessMissing(isFixed ? knownAt(before, path) : undefined, valueFor(path));
    if (isFixed || isDeclared(args, path)) return value;
    const isRecorded = isRecordedUndeclared(row, dialect, before?.private.takenOver) && value !== null;
    return isRecorded && !doesNotRun(row, value) ? value : undefined;
  };
  const found = treeOf(compared.map((row) => [row.path, valueOf(row)]));
  const values = withoutSecrets(found, args, secretPaths);
  const differing = compared.filter(({ path }) => !isEqual(valueAt(values, path), valueAt(args, path)));
  const seen = treeOf(differing.map(({ path }) => [path, valueAt(values, path)]));
  const declared = mapValues(asObject(args["secrets"]), (_, name) => markFor(name));
  const secrets = { ...marksOfUndeclared(before, args, listing), ...declared };
  const marks = Object.entries(secrets).filter(
    ([name, mark]) => markIn(mark) !== "as sent" || valueAt(args, ["secrets", name]) === undefined,
  );
  return marks.length === 0 ? seen : { ...seen, secrets: withoutAbsent(Object.fromEntries(marks)) };
}

/** An uploaded folder declares the path of its archive. */
function isDeclared(args: Values, path: Path): boolean {
  return valueAt(args, path) !== undefined || (args[contentKey] !== undefined && isEqual(path, uploadPath));
}

/** `null` is a value: the service shows that there is none. */
function unlessMissing(value: unknown, otherwise: unknown): unknown {
  return value === undefined ? otherwise : value;
}

/** The value, with the known parts of a map that were not sent, because `ignoreChanges` leaves them to others. */
function withKept(shown: unknown, declared: unknown, sent: unknown, known: unknown): unknown {
  if (declared !== undefined && sent === undefined) return unlessMissing(known, declared);
  if (!isObject(shown) || !isObject(declared) || !isObject(sent)) return shown;
  const members = mapValues({ ...declared, ...shown }, (_, name) => {
    const [now, own, given, before] = [shown, declared, sent, known].map((each) => valueAt(each, [name]));
    return withKept(now, own, given, before);
  });
  return withoutAbsent(members);
}

/** Puts marks in the place of values that the program passed as secrets, and of credentials in the size and in addresses. */
function withoutSecrets(seen: Values, args: Values, secretPaths: readonly Path[] = []): Values {
  const secrets = [...secretPaths, ...credentialPathsOf(seen)];
  let differing: readonly Difference[] | undefined;
  const visit = (value: unknown, path: Path, isInSecret = false): unknown => {
    if (markIn(value) !== undefined || value === null) return value;
    // An import leaves a list with a credential to the service, and its arguments may repeat the credential.
    const isLeftOut = Array.isArray(value) && !isDeclared(args, path) && credentialPathsIn(value).length > 0;
    const isSecret = isInSecret || isLeftOut || secrets.some((each) => isWithin(path, each));
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index], isSecret));
    if (isObject(value)) return mapValues(value, (member, name) => visit(member, [...path, name], isSecret));
    if (!isSecret && !hasCredentials(value)) return value;
    differing ??= differencesIn(args, seen);
    const differs = differing.some((each) => isWithin(path, each.path) || isWithin(each.path, path));
    return marked(differs ? "hidden" : "as sent");
  };
  return visit(seen, []) as Values;
}

/** @param last the last response, if it is another one than the first */
function markOf(name: string, { secrets }: Values, first: Observed, last = first): Mark {
  const value = asObject(secrets)[name];
  // If the last response shows another value, someone changed it since, which counts as drift.
  if (first.secrets?.[name] === value) return "as sent";
  const differenceFrom = (each: Observed) => differencesFrom({ secrets: { [name]: value } }, each)[0];
  const difference = differenceFrom(last) ?? differenceFrom(first);
  if (difference === undefined) return "as sent";
  return difference.observed === undefined ? "missing" : "hidden";
}

/** Marks for the secrets that are not declared. If no response lists them, they are those from before. */
function marksOfUndeclared(before: Recording["before"], args: Values, listing: Observed | undefined): Values {
  if (before === undefined) return {};
  const listed = listing?.secrets;
  const names = listed === undefined ? secretsOfOthers(before, args) : undeclaredAmong(listed, args);
  const markFor = (name: string) =>
    listed === undefined ? knownMark(before, name) : marked(isHidden(listed[name]) ? "masked" : "hidden");
  return Object.fromEntries(names.map((name) => [name, markFor(name)]));
}
