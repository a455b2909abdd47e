/**
 * The baseline: what the service showed after this provider's last write or read of each argument. A value that differs from the
 * declared one is drift only if it differs from the baseline too. So what the service itself makes of a value (it may round
 * numbers, respell strings, add or drop list items, show another value for a secret) is reported once, and is not drift.
 *
 * The state holds it in plain text, so of a secret it holds a mark.
 */
import type { Leaf } from "../../schema/fields";
import { leaves, type Row } from "../../schema/rows";
import { isEqual, isObject, isWithin, mapValues, type Path, valueAt } from "../../schema/tree";
import { asObject, treeOf, type Values, valueTowards } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { contentKey } from "../internal-inputs";
import { credentialPathsIn, hasCredentials, isCredentialVariable } from "../text/credential";
import { argumentsIn, type Difference, differencesFrom, differencesIn } from "./drift";
import { isImmutable, isOnceActive, effectOfRow } from "./field-change";
import type { Context } from "./context";
import type { Observed } from "./service";
import type { State } from "./state";

/** The arguments as the service shows them. */
export type Seen = Values;

/**
 * - `as sent`: the service shows what was sent, or a mask;
 * - `hidden`: it shows something else, so the value is not compared;
 * - `missing`: it shows nothing of that name.
 */
type Mark = "as sent" | "hidden" | "missing";

const markKey = "__seen";
export const marked = (mark: Mark): Values => ({ [markKey]: mark });

export function markIn(value: unknown): Mark | undefined {
  return isObject(value) ? (value[markKey] as Mark | undefined) : undefined;
}

const isWhole = (value: unknown) => value === null || markIn(value) !== undefined;

/** The value at a path, or its mark; undefined if there is none. Members of an object that is `null` are `null` too. */
export function seenAt(seen: unknown, path: Path): unknown {
  return valueTowards(seen, path, isWhole);
}

/** Fields that the service shows. `name` and `source` are always declared, and `secrets` are marks. */
const compared = leaves.filter(
  ({ path: [first], field }) => !["name", "source", "secrets"].includes(first!) && field.sent !== "never",
);

/** A baseline of the values that a function gives for each field. */
export function seenOf(valueOf: (row: Row<Leaf>) => unknown, secrets: Values): Seen {
  const values = treeOf(compared.map((row) => [row.path, valueOf(row)]));
  const marks = Object.entries(secrets).filter(([, value]) => value !== undefined);
  return marks.length === 0 ? values : { ...values, secrets: Object.fromEntries(marks) };
}

const uploadPath = ["sourceRevisionConfig", "sourceTarballPath"];

/** An uploaded folder declares the path of its archive. */
function isDeclared(args: Values, path: Path): boolean {
  return valueAt(args, path) !== undefined || (args[contentKey] !== undefined && isEqual(path, uploadPath));
}

type Recording = Pick<Context, "dialect" | "secretPaths">;

interface Subject {
  readonly args: Values;
  /** Of a deployment that was taken over, everything is recorded. */
  readonly takenOver: boolean;
  /** Undefined if the baseline stays as it is. */
  readonly observed?: Observed;
  readonly context: Recording;
}

/** The baseline of a deployment that is found as it is. */
export function seenAsFound(args: Values, observed: Observed, context: Recording): Seen {
  const shown = argumentsIn(observed);
  const secrets = mapValues(observed.secrets ?? {}, () => marked("hidden"));
  return baselineOf({ args, takenOver: true, observed, context }, (path) => seenAt(shown, path), secrets);
}

/**
 * The baseline after a write.
 *
 * @param args the declared arguments
 * @param sent what was sent of them
 * @param shown the first response that reflects the write: what changes after that was changed by others. Undefined if none does
 * @param observed the last response
 * @param before undefined for a new deployment
 */
export function seenAfter(
  args: Values,
  sent: Values,
  shown: Observed | undefined,
  observed: Observed,
  before: State | undefined,
  context: Recording,
): Seen {
  const { seen: old, takenOver = false } = before?.private ?? {};
  const [first, last] = [shown && argumentsIn(shown), argumentsIn(observed)];
  /** If no response reflects the write. */
  const unseen = (path: Path, asSent: unknown) => {
    const known = seenAt(old, path);
    return known !== undefined && isEqual(valueAt(args, path), valueAt(before?.arguments, path))
      ? known
      : asSent;
  };
  const valueFor = (path: Path) => {
    const known = seenAt(old, path);
    const [declared, own] = [valueAt(args, path), valueAt(sent, path)];
    if (!isDeclared(args, path)) return defaulted(first && seenAt(last, path), known);
    if (declared === undefined) return own ?? known;
    if (own === undefined) return defaulted(known, isOnceActive(path) ? seenAt(last, path) : undefined);
    return first === undefined
      ? unseen(path, withKept(own, declared, own, known))
      : withKept(seenAt(first, path), declared, own, known);
  };
  const secrets = mapValues(secretsIn(args), (_, name) => {
    const path = ["secrets", name];
    if (valueAt(sent, path) === undefined) return seenAt(old, path);
    return shown ? marked(markOf(name, args, shown, observed)) : unseen(path, marked("as sent"));
  });
  const others = othersSecrets(before, args, shown && observed);
  return baselineOf({ args, takenOver, observed, context }, valueFor, { ...others, ...secrets }, old);
}

/** `null` is a value: the service shows that there is none. */
function defaulted(value: unknown, otherwise: unknown): unknown {
  return value === undefined ? otherwise : value;
}

/** The value, with the known parts of a map that were not sent, because `ignoreChanges` leaves them to others. */
function withKept(shown: unknown, declared: unknown, sent: unknown, known: unknown): unknown {
  if (declared !== undefined && sent === undefined) return known;
  if (!isObject(shown) || !isObject(declared) || !isObject(sent)) return shown;
  return mapValues(shown, (value, name) =>
    withKept(value, declared[name], sent[name], asObject(known)[name]),
  );
}

/** Whether the service runs a different archive than this stack deployed. */
export function hasOtherArchive({ sourceRevisionConfig }: Observed, seen: Seen | undefined): boolean {
  const [shown, known] = [valueAt(sourceRevisionConfig, ["sourceTarballPath"]), seenAt(seen, uploadPath)];
  return typeof shown === "string" && typeof known === "string" && shown !== known;
}

/** The changes made outside of the program: what differs from the declared arguments, and did not before. */
export function driftFrom(args: Values, observed: Observed, seen: Seen | undefined): Difference[] {
  return differencesFrom(args, observed).filter((each) => !isInBaseline(each, seen));
}

/** Whether the service differed in the same way before. */
export function isInBaseline({ path, observed: now }: Difference, seen: Seen | undefined): boolean {
  const before = seenAt(seen, path);
  switch (markIn(before)) {
    case "as sent":
      return false;
    case "missing":
      return true;
    case "hidden":
      return now !== undefined || path[0] !== "secrets";
    case undefined:
      return (before !== undefined || isPart(path, seen)) && isEqual(before ?? undefined, now ?? undefined);
  }
}

/** Whether the path leads into a value that is known: what is not there was missing. */
function isPart(path: Path, seen: Seen | undefined): boolean {
  const field = compared.find((row) => isWithin(path, row.path));
  return field !== undefined && path.length > field.path.length && isObject(seenAt(seen, path.slice(0, -1)));
}

/**
 * The baseline after a read.
 *
 * @param args the arguments, with the drift
 */
export function seenAfterRead(
  args: Values,
  drift: readonly Difference[],
  before: State,
  observed: Observed,
  context: Recording,
): Seen {
  const { seen: old, takenOver = false } = before.private;
  const shown = argumentsIn(observed);
  const secrets = mapValues(secretsIn(args), (_, name) => {
    const path = ["secrets", name];
    // A service may show a secret in several ways, so what was hidden once stays so until it is sent again.
    const known = drift.some((each) => isEqual(each.path, path)) ? undefined : markIn(seenAt(old, path));
    return marked(known ?? markOf(name, args, observed));
  });
  const valueFor = (path: Path) => {
    const value = seenAt(shown, path);
    return value === undefined ? seenAt(old, path) : value;
  };
  const others = othersSecrets(before, args, observed);
  return baselineOf({ args, takenOver, observed, context }, valueFor, { ...others, ...secrets }, old);
}

/** The same baseline for other arguments, or others that are secret. */
export function seenFor(args: Values, { takenOver = false, seen }: State["private"], context: Recording) {
  return baselineOf({ args, takenOver, context }, (path) => seenAt(seen, path), secretsIn(seen), seen);
}

/**
 * Records what is declared, what decides whether declaring it later is a change, and if the deployment was taken over, everything.
 *
 * @param old the baseline before: later responses never replace what is immutable
 */
function baselineOf(
  { args, takenOver, observed, context }: Subject,
  valueFor: (path: Path) => unknown,
  secrets: Values,
  old?: Seen,
): Seen {
  const runs = observed?.latestRevisionId === observed?.activeRevisionId;
  const valueOf = (row: Row<Leaf>): unknown => {
    const { path } = row;
    const isFixed = isImmutable(row, context.dialect);
    const isOwn = isFixed || isDeclared(args, path);
    if (!isOwn && !takenOver && row.field.sent !== "onceActive") return undefined;
    const known = isFixed ? seenAt(old, path) : undefined;
    const value = known === undefined ? valueFor(path) : known;
    const isNothing = value === undefined || (value === null && !isOwn);
    const isFirst = old === undefined && !takenOver;
    // Declaring later what a failed or unfinished revision would have to run makes a revision, whoever made that one.
    // No revision has to run what the service fills in on creation.
    const mayBeOfRevision = !isOwn && !isFirst && !runs && !isEqual(value, seenAt(old, path));
    const mayNotRun = mayBeOfRevision && effectOfRow(row, context.dialect) === "revision";
    return isNothing || mayNotRun ? undefined : value;
  };
  return withoutSecrets(seenOf(valueOf, secrets), args, context);
}

/** Puts marks in the place of values that the program passed as secrets, of credentials of containers, and of addresses with one. */
function withoutSecrets(seen: Values, args: Values, { secretPaths = [] }: Recording): Values {
  let differing: readonly Difference[] | undefined;
  const visit = (value: unknown, path: Path, isCredential = false): unknown => {
    if (markIn(value) !== undefined || value === null) return value;
    if (Array.isArray(value)) {
      // An import leaves the whole list to the service, and its arguments may repeat the credential.
      const isLeftOut =
        isCredential || (valueAt(args, path) === undefined && credentialPathsIn(value).length > 0);
      return value.map((item, index) => visit(item, [...path, index], isLeftOut));
    }
    if (isObject(value))
      return mapValues(value, (member, name) =>
        visit(member, [...path, name], isCredential || (name === "value" && isCredentialVariable(value))),
      );
    if (!isCredential && !secretPaths.some((secret) => isWithin(path, secret)) && !hasCredentials(value))
      return value;
    differing ??= differencesIn(args, seen);
    const differs = differing.some((each) => isWithin(path, each.path) || isWithin(each.path, path));
    return marked(differs ? "hidden" : "as sent");
  };
  return visit(seen, []) as Values;
}

/** @param last the last response, if it is another one than the first */
function markOf(name: string, args: Values, first: Observed, last = first): Mark {
  const value = secretsIn(args)[name];
  const [atFirst, now] = [first, last].map(
    (each) => differencesFrom({ secrets: { [name]: value } }, each)[0],
  );
  const difference = now ?? atFirst;
  const isChangedLater = now !== undefined && first.secrets?.[name] === value;
  if (difference === undefined || isChangedLater) return "as sent";
  return difference.observed === undefined ? "missing" : "hidden";
}

/** Marks for the secrets that are not declared. A service that does not list secrets has those that it had. */
function othersSecrets(before: State | undefined, args: Values, observed: Observed | undefined): Values {
  if (!before?.private.takenOver) return {};
  const names = observed?.secrets
    ? Object.keys(observed.secrets)
    : unmanagedSecrets(before, before.arguments);
  const others = names.filter((name) => !Object.hasOwn(secretsIn(args), name));
  return Object.fromEntries(others.map((name) => [name, marked("hidden")]));
}

/** Names of the secrets of an imported or adopted deployment that are not declared. */
export function unmanagedSecrets(
  { private: { takenOver = false, seen } }: State,
  declared: Values,
): string[] {
  if (!takenOver) return [];
  return Object.keys(secretsIn(seen)).filter((name) => !Object.hasOwn(secretsIn(declared), name));
}

function secretsIn(values: Values | undefined): Values {
  return asObject(values?.["secrets"]);
}

/**
 * The part of the baseline that counts as declared before, so that declaring it is no change: what is immutable, what a creation
 * does not take, and everything of a deployment that was taken over.
 */
export function countsAsDeclared(
  { takenOver = false, seen }: State["private"],
  declared: Values,
  dialect: Dialect,
): Values {
  const rows = compared.filter(
    (row) => takenOver || isImmutable(row, dialect) || row.field.sent === "onceActive",
  );
  return treeOf(
    rows.map((row) => {
      const known = seenAt(seen, row.path);
      const value = isImmutable(row, dialect) ? known : onlyDeclared(known, valueAt(declared, row.path));
      return [row.path, markIn(value) === undefined ? value : undefined];
    }),
  );
}

/** The members of a map that are declared too. */
function onlyDeclared(seen: unknown, declared: unknown): unknown {
  if (seen === null || declared === undefined || markIn(seen) !== undefined) return undefined;
  if (!isObject(seen) || !isObject(declared)) return seen;
  const own = Object.entries(seen).flatMap(([name, value]) => {
    const member = onlyDeclared(value, declared[name]);
    return member === undefined ? [] : [[name, member]];
  });
  return Object.fromEntries(own) as Values;
}
