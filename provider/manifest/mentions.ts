/** The references in the strings of a node. */
import { withEnvironment, type Environment } from "./bindings";
import type { Node, Span } from "./node";
import { parseText, type Part, type Reference } from "./reference";

export interface Mention {
  readonly at: Span;
  readonly reference: Reference;
}

type Mentioning = Pick<Mention, "at"> & { readonly parts: readonly Part[] };

const known = new WeakMap<Node, readonly Mentioning[]>();

/** Every reference in a node's strings, in file order, those in defaults included. */
export function mentionsIn(node: Node): readonly Mention[] {
  return textsIn(node).flatMap(({ at, parts }) =>
    everyReference(parts).map((reference) => ({ at, reference })),
  );
}

/** Without the references in defaults that this environment does not use. */
export function mentionsUsed(node: Node, env: Environment | undefined): readonly Mention[] {
  return textsIn(node).flatMap(({ at, parts }) => {
    const used = withEnvironment(parts, env).filter((part) => typeof part !== "string");
    return used.map((reference) => ({ at, reference }));
  });
}

function everyReference(parts: readonly Part[]): Reference[] {
  const references = parts.filter((part) => typeof part !== "string");
  return references.flatMap((part) =>
    part.kind === "env" ? [part, ...everyReference(part.default ?? [])] : [part],
  );
}

/** The strings with references. */
function textsIn(node: Node): readonly Mentioning[] {
  const found = known.get(node) ?? collect(node);
  known.set(node, found);
  return found;
}

function collect(node: Node): readonly Mentioning[] {
  if (node.kind === "list") return node.items.flatMap(textsIn);
  if (node.kind === "map") return [...node.entries.values()].flatMap(({ value }) => textsIn(value));
  if (typeof node.value !== "string" || !node.value.includes("${")) return [];
  return [{ at: node.at, parts: parseText(node.value).parts }];
}
