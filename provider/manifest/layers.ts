/** Merges defaults, deployments and a stack's overlay, in that order. */
import { isPattern } from "../../schema/manifest";
import type { Bindings } from "./bindings";
import { valueAt } from "../../schema/tree";
import { mentionsIn } from "./mentions";
import { entriesOf, objectOf, overlay, type Place, type Span } from "./places";
import type { Report } from "./manifest-problems";

export interface Layered {
  readonly key: string;
  /** In the overlay if the overlay has it. */
  readonly place: Place;
  /** The place in the layer below the overlay. */
  readonly below?: Place | undefined;
  /** After merging. */
  readonly value: unknown;
  /** The overlay's own part; undefined if no overlay changes the deployment. */
  readonly upper?: unknown;
  /** What the overlay changes: the deployment without it, or the defaults. */
  readonly lower?: unknown;
}

/** The deployments of a stack with an overlay, or of all stacks without one. */
export interface View {
  /** The overlay's key, which can be a pattern, and its text; undefined without an overlay. */
  readonly stack: { readonly name: string; readonly at: Span } | undefined;
  /** In file order; the overlay's additions come last. */
  readonly deployments: ReadonlyMap<string, Layered>;
  /** The keys that the overlay removes, which may not exist. */
  readonly removed: ReadonlyMap<string, Place>;
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

export function layersOf(root: unknown): Layers {
  const defaults = valueAt(root, ["defaults"]);
  const base = new Map<string, Layered>();
  for (const [key, { value, place }] of entriesOf(valueAt(root, ["deployments"]))) {
    base.set(key, { key, place, value: overlay(defaults, value ?? objectOf(new Map())) });
  }
  const stacks = [...entriesOf(valueAt(root, ["stacks"]))].map(([name, stack]) => {
    const deployments = new Map(base);
    const removed = new Map<string, Place>();
    for (const [key, { value: upper, place }] of entriesOf(valueAt(stack.value, ["deployments"]))) {
      const below = base.get(key);
      const lower = below === undefined ? defaults : below.value;
      if (upper === null) {
        deployments.delete(key);
        removed.set(key, place);
      } else {
        const value = overlay(lower, upper);
        deployments.set(key, { key, place, below: below?.place, value, upper, lower });
      }
    }
    const { key, at: content } = stack.place;
    const at = { start: key.start, end: Math.max(key.end, content.end) };
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

/** Finds each literal part where it first occurs, so that no pattern takes long. */
function matches(name: string, pattern: string): boolean {
  const [first = "", ...parts] = pattern.split(/\*+/);
  const last = parts.pop() ?? "";
  const endOf = (at: number, part: string) => {
    const found = name.indexOf(part, at);
    return found < 0 ? Infinity : found + part.length;
  };
  const end = parts.reduce(endOf, name.startsWith(first) ? first.length : Infinity);
  return end + last.length <= name.length && name.endsWith(last);
}

/** Whether something depends on the name of the stack. */
export function hasStackName(value: unknown): boolean {
  return mentionsIn(value).some(({ reference }) => reference.kind === "stack");
}
