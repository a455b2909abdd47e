/** A YAML file as plain values, and where each of them stands. Aliases are resolved and merge keys applied. */
import { isObject, type Path, valueAt, type Values } from "../../schema/tree";

/** Offsets in the text, in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function isInside(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.start < outer.end;
}

/** Where a member of an object or a list stands. */
export interface Place {
  /** The key's; of a list item, the item's own. */
  readonly key: Span;
  readonly at: Span;
  /** The lower layer's member, which this one replaced. */
  readonly below?: Place | undefined;
  /** Whether the value is secret, also through an alias. */
  readonly isSecret?: boolean | undefined;
  /** Whether the file has another integer, which JavaScript cannot hold. */
  readonly isRounded?: boolean | undefined;
}

export interface Placed {
  readonly value: unknown;
  readonly place: Place;
}

/** The places of the members of each object and list, in file order. */
const places = new WeakMap<object, ReadonlyMap<string | number, Place>>();

export function objectOf(entries: ReadonlyMap<string, Placed>): Values {
  const object = Object.fromEntries(Array.from(entries, ([name, { value }]) => [name, value]));
  places.set(object, new Map(Array.from(entries, ([name, { place }]) => [name, place])));
  return object;
}

export function listOf(items: readonly Placed[]): unknown[] {
  const list = items.map(({ value }) => value);
  places.set(list, new Map(items.map(({ place }, index) => [index, place])));
  return list;
}

/** The members of an object or a list; none for other values. */
export function membersOf(value: unknown): (Placed & { readonly name: string | number })[] {
  const known = typeof value === "object" && value !== null ? places.get(value) : undefined;
  return Array.from(known ?? [], ([name, place]) => ({ name, value: (value as Values)[name], place }));
}

/** The entries of an object; none for other values. */
export function entriesOf(value: unknown): ReadonlyMap<string, Placed> {
  return new Map(isObject(value) ? membersOf(value).map((each) => [String(each.name), each]) : []);
}

/** The place of the member at a path; undefined if there is none. */
export function placeAt(top: unknown, path: Path): Place | undefined {
  const around = valueAt(top, path.slice(0, -1));
  return typeof around === "object" && around !== null ? places.get(around)?.get(path.at(-1)!) : undefined;
}

/** All members at any depth. */
export function* partsOf(
  value: unknown,
  around: Path = [],
): Generator<Placed & { readonly path: Path }, void> {
  for (const { name, ...member } of membersOf(value)) {
    const path = [...around, name];
    yield { ...member, path };
    yield* partsOf(member.value, path);
  }
}

/** Merges two values: objects key by key, everything else is replaced. A key of both keeps its place in the order. */
export function overlay(lower: unknown, upper: unknown): unknown {
  if (!isObject(lower) || !isObject(upper)) return upper;
  const entries = new Map(entriesOf(lower));
  for (const [name, { value, place }] of entriesOf(upper)) {
    const under = entries.get(name);
    entries.set(name, { value: overlay(under?.value, value), place: { ...place, below: under?.place } });
  }
  return objectOf(entries);
}
