/** What is judged of a file: each stack's deployments under that stack's own name, and what applies to none not at all. */
import { isPattern } from "../../schema/manifest";
import { View, type Layered } from "./layers";
import { entriesOf, entryOf, type Entry, type Node, type Span } from "./node";
import type { Findings, Problems } from "./problem";
import type { Bindings } from "./reference";

/** Deployments of one stack, or of none in particular. */
export interface Scope {
  readonly view: View;
  /** Those that the scope is there for. The rest of the view is as it is without the stack. */
  readonly judged: readonly Layered[];
  readonly known: Bindings;
  readonly findings: Findings;
  /** For what only the stack's name makes wrong: the place may be one that all stacks share. */
  readonly ofStack: Findings;
}

/**
 * The selected view first, then every other stack with its overlay. Where a stack is selected, nothing is judged for
 * the others but what their overlays say themselves.
 */
export function scopesOf(root: Node, view: View, known: Bindings, problems: Problems): Scope[] {
  const others = [...view.layers.stacks.values()].filter((stack) => stack !== view.stack);
  const isSelected = known.stack !== undefined;
  return [
    { view, judged: view.all(), known, findings: problems, ofStack: problems },
    ...others.map((stack): Scope => {
      const { name } = stack;
      const { key, value } = entryOf(entryOf(root, "stacks")?.value, name)!;
      const isOwn = (at: Span) => at.start >= key.start && at.start <= value.at.end;
      const own = where(isOwn, problems);
      return {
        view: new View(view.layers, stack),
        judged: [...stack.changed.values()],
        known: { ...known, stack: isPattern(name) ? undefined : name },
        findings: isSelected ? own : problems,
        ofStack: isSelected ? own : where(isOwn, problems, problems.in(name)),
      };
    }),
  ];
}

/** Leaves out what a selected stack does not use of the layers below its overlay. */
export function usedOnly(root: Node, view: View, problems: Problems): Findings {
  const used = new Set<number>();
  for (const { at, below, node } of view.all()) {
    used.add(at.start);
    if (below !== undefined) used.add(below.start);
    for (const place of placesIn(node)) used.add(place);
  }
  const below = ["defaults", "deployments"]
    .map((key) => entryOf(root, key))
    .filter((entry) => entry !== undefined);
  const isBelow = (at: Span) => below.some(({ value }) => value.kind === "map" && isInside(at, value));
  return where((at) => !isBelow(at) || used.has(at.start), problems);
}

function isInside({ start }: Span, { at }: Node): boolean {
  return start >= at.start && start < at.end;
}

function* placesIn(node: Node): Generator<number> {
  yield node.at.start;
  if (node.kind === "list") for (const item of node.items) yield* placesIn(item);
  for (const { key, value } of entriesOf(node).values() as Iterable<Entry>) {
    yield key.start;
    yield* placesIn(value);
  }
}

function where(isWanted: (at: Span) => boolean, findings: Findings, others?: Findings): Findings {
  return {
    add: (at, ...problem) => (isWanted(at) ? findings : others)?.add(at, ...problem),
  };
}
