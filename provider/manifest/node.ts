/** A YAML file's values with their places: aliases followed, merge keys merged, keys in a map. */

/** Offsets in the text, in UTF-16 units; the end is not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Entry {
  readonly key: Span;
  /** Of a key that is an alias: where what it stands for stands. */
  readonly keyOrigin?: Span | undefined;
  readonly value: Node;
  /** No colon follows the key, or it is an alias of nothing: it may be a value that somebody took for one. */
  readonly isBare?: boolean;
  /** The entry of the lower layer whose place this one took in a merge. */
  readonly below?: Entry | undefined;
}

interface Placed {
  readonly at: Span;
  /** Of an alias: where what it stands for stands. */
  readonly origin?: Span;
}

export interface MapNode extends Placed {
  readonly kind: "map";
  /** Nodes below and including this one, aliases expanded. */
  readonly size: number;
  readonly entries: ReadonlyMap<string, Entry>;
  /** What stands in the file and is no part of the map: under keys that cannot be, and in what is merged in. */
  readonly refused?: readonly Entry[];
}

export interface ListNode extends Placed {
  readonly kind: "list";
  readonly size: number;
  readonly items: readonly Node[];
}

export interface ScalarNode extends Placed {
  readonly kind: "scalar";
  readonly size: 1;
  readonly value: string | number | boolean | null;
  /** The file has another number, of more digits than a number keeps. */
  readonly isRounded?: boolean;
  /** An alias of nothing: it may be a value that begins as an alias does. */
  readonly isLost?: boolean;
}

export type Node = MapNode | ListNode | ScalarNode;

export function scalar(value: ScalarNode["value"], at: Span): ScalarNode {
  return { kind: "scalar", at, size: 1, value };
}

export function map(entries: ReadonlyMap<string, Entry>, at: Span): MapNode {
  const size = [...entries.values()].reduce((sum, { value }) => sum + value.size, 1);
  return { kind: "map", at, size, entries };
}

export function list(items: readonly Node[], at: Span): ListNode {
  return { kind: "list", at, size: items.reduce((sum, item) => sum + item.size, 1), items };
}

export function isNull(node: Node | undefined): boolean {
  return node?.kind === "scalar" && node.value === null;
}

/** The entry of a map, or undefined where there is no map or no such entry. */
export function entryOf(node: Node | undefined, key: string): Entry | undefined {
  return node?.kind === "map" ? node.entries.get(key) : undefined;
}

/** The entries of a map; none where there is no map. */
export function entriesOf(node: Node | undefined): ReadonlyMap<string, Entry> {
  return node?.kind === "map" ? node.entries : new Map();
}

/**
 * Lays one value over another: maps are merged key by key, everything else is replaced. A key that is in both
 * keeps its place in the order.
 */
export function overlay(lower: Node | undefined, upper: Node): Node {
  if (lower?.kind !== "map" || upper.kind !== "map") return upper;
  const entries = new Map(lower.entries);
  for (const [key, entry] of upper.entries) {
    const below = lower.entries.get(key);
    const value = overlay(below?.value, entry.value);
    entries.set(key, { ...entry, value, below });
  }
  return map(entries, upper.at);
}
