/** Merges defaults, deployments and a stack's overlay, in that order. */
import { isPattern } from "../../schema/manifest";
import type { Bindings } from "./bindings";
import { mentionsIn } from "./mentions";
import { entriesOf, isNull, mapNode, overlay, nodeAt, type Entry, type Node, type Span } from "./node";
import type { Report } from "./manifest-problems";

export interface Layered {
  readonly key: string;
  /** The position of the deployment's key: in the overlay if the overlay has it. */
  readonly at: Span;
  /** The position of the same key in the layer below the overlay. */
  readonly below?: Span | undefined;
  /** After merging. */
  readonly node: Node;
  /** The overlay's own part; undefined if no overlay changes the deployment. */
  readonly upper?: Node;
  /** What the overlay changes: the deployment without it, or the defaults. */
  readonly lower?: Node | undefined;
}

/** The deployments of a stack with an overlay, or of all stacks without one. */
export interface View {
  /** The overlay's key, which can be a pattern, and its text; undefined without an overlay. */
  readonly stack: { readonly name: string; readonly at: Span } | undefined;
  /** In file order; the overlay's additions come last. */
  readonly deployments: ReadonlyMap<string, Layered>;
  /** The keys that the overlay removes, which may not exist. */
  readonly removed: ReadonlyMap<string, Entry>;
}

export interface Layers {
  readonly base: View;
  /** One for each overlay. */
  readonly stacks: readonly View[];
}

/** What the checks of one view get. */
export interface ViewCheck {
  readonly layers: Layers;
  readonly view: View;
  /** Those to check. In stacks that are not selected, those that differ from the base. */
  readonly deployments: readonly Layered[];
  readonly known: Bindings;
  readonly report: Report;
}

export function layersOf(root: Node | undefined): Layers {
  const defaults = nodeAt(root, "defaults");
  const under = (lower: Node | undefined, upper: Node) =>
    overlay(lower, isNull(upper) ? mapNode(new Map(), upper.at) : upper);

  const base = new Map<string, Layered>();
  for (const [key, entry] of entriesOf(nodeAt(root, "deployments"))) {
    base.set(key, { key, at: entry.key, node: under(defaults, entry.value) });
  }
  const stacks = [...entriesOf(nodeAt(root, "stacks"))].map(([name, stack]) => {
    const deployments = new Map(base);
    const removed = new Map<string, Entry>();
    for (const [key, entry] of entriesOf(nodeAt(stack.value, "deployments"))) {
      const { key: at, value: upper } = entry;
      const below = base.get(key);
      const lower = below?.node ?? defaults;
      if (isNull(upper)) {
        deployments.delete(key);
        removed.set(key, entry);
      } else deployments.set(key, { key, at, below: below?.at, node: under(lower, upper), upper, lower });
    }
    const at = { start: stack.key.start, end: Math.max(stack.key.end, stack.value.at.end) };
    return { stack: { name, at }, deployments, removed };
  });
  return { base: { stack: undefined, deployments: base, removed: new Map() }, stacks };
}

/** The overlay of a stack: its own, or that of the first matching pattern with the longest literal part. */
export function overlayFor({ stacks }: Layers, name: string): View | undefined {
  const literalPart = ({ stack }: View) => stack!.name.replaceAll("*", "").length;
  const matching = stacks.filter(({ stack }) => isPattern(stack!.name) && matches(name, stack!.name));
  const [longest] = matching.sort((a, b) => literalPart(b) - literalPart(a));
  return stacks.find(({ stack }) => stack!.name === name) ?? longest;
}

/** Whether a name contains the literal parts of a pattern in order. As a regular expression, many `*` would take long. */
function matches(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  let at = first.length;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** Whether something depends on the name of the stack. */
export function hasStackName(node: Node): boolean {
  return mentionsIn(node).some(({ reference }) => reference.kind === "stack");
}
