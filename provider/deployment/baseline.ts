/**
 * The baseline: what the service showed after this provider's last write or read of each argument. A value that differs from the
 * declared one is drift only if it differs from the baseline too. So what the service itself makes of a value (it may round
 * numbers, respell strings, add or drop list items, show another value for a secret) is reported once, and is not drift.
 *
 * The state holds it in plain text, so of a secret it holds a mark. `baseline-record.ts` records it.
 */
import type { Leaf } from "../../schema/fields";
import { leaves, type Row } from "../../schema/rows";
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
  valueTowards,
  withoutAbsent,
} from "../../schema/tree";
import type { Dialect } from "../dialects";
import { type Difference, differencesFrom } from "./drift";
import { isImmutable } from "./field-change";
import type { Observed } from "./service";
import type { State } from "./state";

/** The arguments as the service shows them, where that differs from what is declared. */
export type Seen = Values;

/**
 * - `as sent`: the service shows what was sent, or a mask;
 * - `hidden`: it shows something else, so the value is not compared;
 * - `missing`: it shows nothing of that name;
 * - `masked`: it masks a secret that is not declared;
 * - `late`: no response has shown it since it was sent, so the next one shows what the service made of it.
 */
export type Mark = "as sent" | "hidden" | "masked" | "missing" | "late";

const markKey = "__seen";
export const marked = (mark: Mark): Values => ({ [markKey]: mark });

export function markIn(value: unknown): Mark | undefined {
  return isObject(value) ? (value[markKey] as Mark | undefined) : undefined;
}

/** The value at a path, or its mark; undefined if there is none. Members of an object that is `null` are `null` too. */
export function seenAt(seen: unknown, path: Path): unknown {
  return valueTowards(seen, path, (value) => value === null || markIn(value) !== undefined);
}

/** Fields that the service shows. `name` and `source` are always declared, and `secrets` are marks. */
export const compared = leaves.filter(
  ({ path: [first], field }) => !["name", "source", "secrets"].includes(first!) && field.sent !== "never",
);

export const uploadPath = ["sourceRevisionConfig", "sourceTarballPath"];

/** Whether the service runs a different archive than this stack deployed. */
export function hasOtherArchive({ sourceRevisionConfig }: Observed, seen: Seen | undefined): boolean {
  const shown = valueAt(sourceRevisionConfig, ["sourceTarballPath"]);
  const known = seenAt(seen, uploadPath);
  return typeof shown === "string" && typeof known === "string" && shown !== known;
}

/** The changes made outside of the program: what differs from the declared arguments, and did not before. */
export function driftFrom(args: Values, observed: Observed, seen: Seen | undefined): Difference[] {
  return differencesFrom(args, observed).filter((each) => !isInBaseline(each, seen));
}

/** Whether the service differed in the same way before. What the baseline lacks was as declared. */
export function isInBaseline({ path, observed: now }: Difference, seen: Seen | undefined): boolean {
  const before = seenAt(seen, path);
  switch (markIn(before)) {
    case "as sent":
    case "late":
      return false;
    case "missing":
      return true;
    case "hidden":
    case "masked":
      // A hidden secret that is gone now is drift.
      return now !== undefined || path[0] !== "secrets";
    case undefined:
      // As drift, null and absent are the same.
      return (before !== undefined || isPart(path, seen)) && isEqual(before ?? undefined, now ?? undefined);
  }
}

/** Whether the path leads into a recorded value. What is absent there was missing. */
function isPart(path: Path, seen: Seen | undefined): boolean {
  const field = compared.find((row) => isWithin(path, row.path));
  return field !== undefined && path.length > field.path.length && isObject(seenAt(seen, path.slice(0, -1)));
}

/** Names of those secrets that are not declared. */
export function undeclaredAmong(secrets: object | undefined, declared: Values): string[] {
  const own = asObject(declared["secrets"]);
  return Object.keys(secrets ?? {}).filter((name) => !Object.hasOwn(own, name));
}

/** Names of the service's secrets that the program has never declared. */
export function secretsOfOthers(
  { arguments: had, private: { seen } }: Pick<State, "arguments" | "private">,
  declared: Values,
): string[] {
  const known = { secrets: { ...asObject(had["secrets"]), ...asObject(declared["secrets"]) } };
  return undeclaredAmong(asObject(seen?.["secrets"]), known);
}

/** Whether an undeclared field is recorded: an immutable one, one that a creation does not take, or any after a takeover. */
export function isRecordedUndeclared(row: Row<Leaf>, dialect: Dialect, takenOver = false): boolean {
  return takenOver || isImmutable(row, dialect) || row.field.sent === "onceActive";
}

/** The part of the baseline that counts as declared before, so that declaring it is no change. */
export function countsAsDeclared(
  { takenOver, seen }: State["private"],
  declared: Values,
  dialect: Dialect,
): Values {
  const rows = compared.filter((row) => isRecordedUndeclared(row, dialect, takenOver));
  return treeOf(
    rows.map((row) => {
      const known = seenAt(seen, row.path);
      const value = isImmutable(row, dialect) ? known : onlyDeclared(known, valueAt(declared, row.path));
      return [row.path, markIn(value) === undefined ? value : undefined];
    }),
  );
}

/** What the service showed of what is declared, without marks. */
export function onlyDeclared(seen: unknown, declared: unknown): unknown {
  if (seen === null || declared === undefined || markIn(seen) !== undefined) return undefined;
  if (!isObject(seen) || !isObject(declared)) return seen;
  return withoutAbsent(mapValues(seen, (value, name) => onlyDeclared(value, declared[name])));
}
