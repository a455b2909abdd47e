/** Merges defaults, deployments and a stack's overlay, in that order. */
import { isPattern } from "../../schema/manifest";
import { mentionsIn } from "./mentions";
import { entriesOf, isNull, mapNode, overlay, valueIn, type Entry, type Node, type Span } from "./node";

export interface Layered {
  readonly key: string;
  /** The position of the deployment's key: in the overlay if the overlay has it. */
  readonly at: Span;
  /** The position of the same key in the layer below the overlay. */
  readonly below?: Span | undefined;
  readonly node: Node;
  /** The overlay's own part; undefined if no overlay changes the deployment. */
  readonly upper: Node | undefined;
}

export interface StackLayer {
  readonly name: string;
  /** The overlay's text. */
  readonly at: Span;
  /** The deployments that the overlay changes or adds. */
  readonly changed: ReadonlyMap<string, Layered>;
  /** The keys that the overlay removes, which may not exist. */
  readonly removed: ReadonlyMap<string, Entry>;
}

export interface Layers {
  /** The deployments of a stack without an overlay. */
  readonly base: ReadonlyMap<string, Layered>;
  readonly stacks: ReadonlyMap<string, StackLayer>;
}

export function layersOf(root: Node): Layers {
  const defaults = valueIn(root, "defaults");
  const under = (lower: Node | undefined, upper: Node) =>
    isNull(upper) ? overlay(lower, mapNode(new Map(), upper.at)) : overlay(lower, upper);

  const base = new Map<string, Layered>();
  for (const [key, entry] of entriesOf(valueIn(root, "deployments"))) {
    base.set(key, { key, at: entry.key, node: under(defaults, entry.value), upper: undefined });
  }
  const stacks = new Map<string, StackLayer>();
  for (const [name, stack] of entriesOf(valueIn(root, "stacks"))) {
    const changed = new Map<string, Layered>();
    const removed = new Map<string, Entry>();
    for (const [key, entry] of entriesOf(valueIn(stack.value, "deployments"))) {
      if (isNull(entry.value)) removed.set(key, entry);
      else {
        const below = base.get(key);
        const node = under(below?.node ?? defaults, entry.value);
        changed.set(key, { key, at: entry.key, below: below?.at, node, upper: entry.value });
      }
    }
    const at = { start: stack.key.start, end: Math.max(stack.key.end, stack.value.at.end) };
    stacks.set(name, { name, at, changed, removed });
  }
  return { base, stacks };
}

/**
 * The overlay of a stack: its own, or that of the matching pattern with the longest literal part. Returns several if
 * patterns tie.
 */
export function overlaysFor({ stacks }: Layers, name: string): StackLayer[] {
  const own = stacks.get(name);
  if (own !== undefined) return [own];
  const literalPart = (key: string) => key.replaceAll("*", "").length;
  const matching = [...stacks.values()].filter((layer) => isPattern(layer.name) && matches(name, layer.name));
  const longest = Math.max(...matching.map((layer) => literalPart(layer.name)));
  return matching.filter((layer) => literalPart(layer.name) === longest);
}

/** Whether a name contains the literal parts of a pattern in order, from its start to its end. */
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

/** The deployments of one stack, or of the base without a stack. */
export class View {
  constructor(
    readonly layers: Layers,
    readonly stack: StackLayer | undefined,
  ) {}

  get(key: string): Layered | undefined {
    if (this.stack?.removed.has(key)) return undefined;
    return this.stack?.changed.get(key) ?? this.layers.base.get(key);
  }

  /** In file order; the stack's additions come last. */
  keys(): string[] {
    const { base } = this.layers;
    const added = [...(this.stack?.changed.keys() ?? [])].filter((key) => !base.has(key));
    return [...base.keys(), ...added].filter((key) => this.get(key) !== undefined);
  }

  all(): Layered[] {
    return this.keys().map((key) => this.get(key)!);
  }

  /** Those that differ from the base. */
  own(): Layered[] {
    return this.all().filter(({ key, node }) => this.stack?.changed.has(key) || hasStackName(node));
  }
}
