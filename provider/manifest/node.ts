/** A YAML file's values with their positions. Aliases are resolved and merge keys applied. */

import type { Path } from "../../schema/tree";

/** Offsets in the text, in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function isInside(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.start < outer.end;
}

export interface Entry {
  readonly key: Span;
  readonly value: Node;
  /** The lower layer's entry that this one replaced. */
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
  /** Whether the value is secret, also through an alias. */
  readonly isSecret?: boolean;
  /** Whether the file has another integer, which JavaScript cannot hold. */
  readonly isRounded?: boolean;
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

/** The entry of a map; undefined if the node is not a map or has no such entry. */
export function entryOf(node: Node | undefined, key: string): Entry | undefined {
  return node?.kind === "map" ? node.entries.get(key) : undefined;
}

/** The value at a path of keys; undefined if there is none. */
export function nodeAt(node: Node | undefined, ...keys: readonly string[]): Node | undefined {
  return keys.reduce((at, key) => entryOf(at, key)?.value, node);
}

/** The entries of a map; empty for other nodes. */
export function entriesOf(node: Node | undefined): ReadonlyMap<string, Entry> {
  return node?.kind === "map" ? node.entries : new Map();
}

/** The values of a map; empty for other nodes. */
export function valuesOf(node: Node | undefined): Node[] {
  return Array.from(entriesOf(node).values(), ({ value }) => value);
}

/** The items of a list; empty for other nodes. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "list" ? node.items : [];
}

/** The string that a node holds; undefined for other nodes. */
export function stringValue(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The entry or the list item at a path; undefined if there is none. */
export function entryAt(top: Entry, path: Path): Entry | undefined {
  return path.reduce<Entry | undefined>((around, part) => {
    if (typeof part === "string") return entryOf(around?.value, part);
    const item = itemsOf(around?.value)[part];
    return item && { key: item.at, value: item };
  }, top);
}

/** A key or a list item, and its value. */
interface Part {
  readonly at: Span;
  readonly value: Node;
  readonly path: Path;
}

/** All keys and list items below a node. */
export function* partsOf(node: Node, around: Path = []): Generator<Part, void> {
  for (const [name, { key, value }] of entriesOf(node)) {
    const path = [...around, name];
    yield { at: key, value, path };
    yield* partsOf(value, path);
  }
  for (const [index, item] of itemsOf(node).entries()) {
    const path = [...around, index];
    yield { at: item.at, value: item, path };
    yield* partsOf(item, path);
  }
}

/**
 * Merges two values: maps key by key, everything else is replaced. A key of both keeps its place in the order.
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
