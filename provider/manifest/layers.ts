/** The deployments of a file, with and without a stack's overlay: the defaults below, the overlay on top. */
import { isPattern } from "../../schema/manifest";
import { entriesOf, entryOf, isNull, mapNode, overlay, type Node, type Span } from "./node";

export interface Layered {
  readonly key: string;
  /** Where the deployment's key stands: in the overlay where the overlay speaks of it. */
  readonly at: Span;
  /** The deployment's key below the overlay's. */
  readonly below?: Span | undefined;
  readonly node: Node;
  /** What the overlay says; undefined where no overlay changes the deployment. */
  readonly upper: Node | undefined;
}

export interface StackLayer {
  readonly name: string;
  /** The deployments that the overlay changes or adds. */
  readonly changed: ReadonlyMap<string, Layered>;
  /** The deployments that the overlay removes, and where it says so. */
  readonly removed: ReadonlyMap<string, Span>;
  /** What the overlay would remove, were it there: by key, with the key's place. */
  readonly missing: ReadonlyMap<string, Span>;
}

export interface Layers {
  /** The deployments as a stack without an overlay has them. */
  readonly base: ReadonlyMap<string, Layered>;
  readonly stacks: ReadonlyMap<string, StackLayer>;
}

export function layersOf(root: Node): Layers {
  const defaults = entryOf(root, "defaults")?.value;
  const under = (lower: Node | undefined, upper: Node) =>
    isNull(upper) ? overlay(lower, mapNode(new Map(), upper.at)) : overlay(lower, upper);

  const base = new Map<string, Layered>();
  for (const [key, entry] of entriesOf(entryOf(root, "deployments")?.value)) {
    base.set(key, { key, at: entry.key, node: under(defaults, entry.value), upper: undefined });
  }
  const stacks = new Map<string, StackLayer>();
  for (const [name, stack] of entriesOf(entryOf(root, "stacks")?.value)) {
    const changed = new Map<string, Layered>();
    const removed = new Map<string, Span>();
    const missing = new Map<string, Span>();
    for (const [key, entry] of entriesOf(entryOf(stack.value, "deployments")?.value)) {
      if (isNull(entry.value)) {
        if (base.has(key)) removed.set(key, entry.value.at);
        else missing.set(key, entry.key);
      } else {
        const below = base.get(key);
        const node = under(below?.node ?? defaults, entry.value);
        changed.set(key, { key, at: entry.key, below: below?.at, node, upper: entry.value });
      }
    }
    stacks.set(name, { name, changed, removed, missing });
  }
  return { base, stacks };
}

/**
 * The overlay of a stack: its own, or else that of the pattern with the longest literal part. More than one where nothing
 * says which of two patterns is meant.
 */
export function overlaysFor({ stacks }: Layers, name: string): StackLayer[] {
  const own = stacks.get(name);
  if (own !== undefined) return [own];
  const literalPart = (key: string) => key.replaceAll("*", "").length;
  const fitting = [...stacks.values()].filter((layer) => isPattern(layer.name) && fits(name, layer.name));
  const longest = Math.max(...fitting.map((layer) => literalPart(layer.name)));
  return fitting.filter((layer) => literalPart(layer.name) === longest);
}

/** Whether a name begins, goes on and ends with the literal parts of a pattern. */
function fits(name: string, pattern: string): boolean {
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

/** The deployments of one stack; of no stack in particular without a name. */
export class View {
  constructor(
    readonly layers: Layers,
    readonly stack: StackLayer | undefined,
  ) {}

  get(key: string): Layered | undefined {
    if (this.stack?.removed.has(key)) return undefined;
    return this.stack?.changed.get(key) ?? this.layers.base.get(key);
  }

  /** In the order of the file; what the stack adds comes last. */
  keys(): string[] {
    const { base } = this.layers;
    const added = [...(this.stack?.changed.keys() ?? [])].filter((key) => !base.has(key));
    return [...base.keys(), ...added].filter((key) => this.get(key) !== undefined);
  }

  all(): Layered[] {
    return this.keys().map((key) => this.get(key)!);
  }
}
