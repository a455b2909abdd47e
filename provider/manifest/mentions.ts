/** The references in the strings of a node. */
import type { Node, Span } from "./node";
import { parseText, type Reference } from "./reference";

export interface Mention {
  readonly at: Span;
  readonly reference: Reference;
}

const mentions = new WeakMap<Node, readonly Mention[]>();

/** Every reference in a node's strings, in file order. */
export function mentionsIn(node: Node): readonly Mention[] {
  const found = mentions.get(node) ?? collect(node);
  mentions.set(node, found);
  return found;
}

function collect(node: Node): readonly Mention[] {
  if (node.kind === "list") return node.items.flatMap(mentionsIn);
  if (node.kind === "map") return [...node.entries.values()].flatMap(({ value }) => mentionsIn(value));
  if (typeof node.value !== "string" || !node.value.includes("${")) return [];
  const { parts } = parseText(node.value);
  return parts.flatMap((part) => (typeof part === "string" ? [] : [{ at: node.at, reference: part }]));
}
