/**
 * The baseline as the state stores it: without what the service shows as it was declared. That is most of it, and the arguments
 * have it already.
 */
import { rows } from "../../schema/rows";
import {
  asObject,
  formatPath,
  isEqual,
  isObject,
  mapValues,
  type Path,
  type Values,
} from "../../schema/tree";
import { marked, markIn, type Seen } from "./baseline";

export interface StoredBaseline {
  /** What differs from the declared arguments. */
  readonly seen: Seen;
  /** Paths of declared arguments that the baseline does not contain. */
  readonly unseen?: readonly string[];
}

export function storedBaseline(seen: Seen, args: Values): StoredBaseline {
  const expected = asDeclared(args);
  const unseen = missingIn(seen, expected).map(formatPath);
  return { seen: differingIn(seen, expected), ...(unseen.length > 0 && { unseen }) };
}

export function baselineFrom({ seen, unseen = [] }: StoredBaseline, args: Values): Seen {
  return completed(seen, asDeclared(args), new Set(unseen));
}

const shown = rows
  .filter(({ path, field }) => path.length === 1 && (field.kind === "group" || field.sent !== "never"))
  .map(({ path: [name] }) => name!)
  .filter((name) => name !== "name" && name !== "source");

/** The baseline of a service that shows everything as it was sent. */
function asDeclared(args: Values): Seen {
  const declared = shown.filter((name) => args[name] !== undefined);
  const all = Object.fromEntries(declared.map((name) => [name, args[name]]));
  return "secrets" in all
    ? { ...all, secrets: mapValues(asObject(all.secrets), () => marked("as sent")) }
    : all;
}

function differingIn(seen: Values, expected: Values): Values {
  const entries = Object.entries(seen).filter(
    ([name, value]) => !has(expected, name) || !isEqual(value, expected[name]),
  );
  return mapValues(Object.fromEntries(entries), (value, name) => {
    const [own, other] = [membersOf(value), membersOf(has(expected, name) && expected[name])];
    return own && other ? differingIn(own, other) : value;
  });
}

function missingIn(seen: Values, expected: Values, at: Path = []): Path[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    if (!has(seen, name)) return [[...at, name]];
    const [own, other] = [membersOf(seen[name]), membersOf(value)];
    return own && other ? missingIn(own, other, [...at, name]) : [];
  });
}

function completed(seen: Values, expected: Values, unseen: ReadonlySet<string>, at: Path = []): Values {
  const missing = Object.entries(expected).filter(
    ([name]) => !has(seen, name) && !unseen.has(formatPath([...at, name])),
  );
  const known = mapValues(seen, (value, name) => {
    const [own, other] = [membersOf(value), membersOf(has(expected, name) && expected[name])];
    return own && other ? completed(own, other, unseen, [...at, name]) : value;
  });
  return missing.length === 0 ? known : { ...known, ...Object.fromEntries(missing) };
}

/** Undefined for anything but an object. A mark is one value. */
function membersOf(value: unknown): Values | undefined {
  return isObject(value) && markIn(value) === undefined ? value : undefined;
}

function has(values: Values, name: string): boolean {
  return Object.hasOwn(values, name);
}
