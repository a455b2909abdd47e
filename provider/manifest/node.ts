/** A YAML file's values with their places: aliases followed, merge keys merged, keys in a map. */

/** Offsets in the text, in UTF-16 units; the end is not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Entry {
  readonly key: Span;
  readonly value: Node;
  /** The entry of the lower layer whose place this one took in a merge. */
  readonly below?: Entry | undefined;
}

export interface MapNode {
  readonly kind: "map";
  readonly at: Span;
  /** Nodes below and including this one, aliases expanded. */
  readonly size: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface ListNode {
  readonly kind: "list";
  readonly at: Span;
  readonly size: number;
  readonly items: readonly Node[];
}

export interface ScalarNode {
  readonly kind: "scalar";
  readonly at: Span;
  readonly size: 1;
  readonly value: string | number | boolean | null;
  /** The text stands where secrets are written, also where an alias repeats it. */
  readonly isSecret?: boolean;
}

export type Node = MapNode | ListNode | ScalarNode;

export function scalarNode(value: ScalarNode["value"], at: Span): ScalarNode {
  return { kind: "scalar", at, size: 1, value };
}

export function mapNode(entries: ReadonlyMap<string, Entry>, at: Span): MapNode {
  const size = [...entries.values()].reduce((sum, { value }) => sum + value.size, 1);
  return { kind: "map", at, size, entries };
}

export function listNode(items: readonly Node[], at: Span): ListNode {
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
  return mapNode(entries, upper.at);
}
