/** Divides the checks of a file into scopes: the selected stack or the base, and every other stack. */
import { isPattern } from "../../schema/manifest";
import { mentionsIn } from "./mentions";
import { View, type Layered } from "./layers";
import { entryOf, partsOf, valueIn, type Node, type Span } from "./node";
import type { Findings, Problems } from "./problem";
import type { Bindings } from "./bindings";

/** The deployments of one stack, or of the base. */
export interface Scope {
  readonly view: View;
  /** The deployments to check. For other stacks, only those that they change or that refer to `${stack}`. */
  readonly judged: readonly Layered[];
  readonly known: Bindings;
  readonly findings: Findings;
  /** For rules about a whole deployment: a problem of the base is not repeated for a stack. */
  about(deployment: Layered): Findings;
}

/**
 * The selected view first, then every other stack. If a stack is selected, only the overlays of the others are checked.
 */
export function scopesOf(root: Node, view: View, known: Bindings, problems: Problems): Scope[] {
  const others = [...view.layers.stacks.values()].filter((stack) => stack !== view.stack);
  const isSelected = known.stack !== undefined;
  const saidOfBase = new Set<string>();
  const selected: Scope = {
    view,
    judged: view.all(),
    known,
    findings: problems,
    about: ({ key, upper }) => ({
      add: (at, rule, message, severity, identity = message) => {
        problems.add(at, rule, message, severity);
        if (upper === undefined) saidOfBase.add(`${key}: ${identity}`);
      },
    }),
  };
  return [
    selected,
    ...others.map((stack): Scope => {
      const { name, changed } = stack;
      const { key: start, value: end } = entryOf(valueIn(root, "stacks"), name)!;
      const isOwn = (at: Span) => at.start >= start.start && at.start <= end.at.end;
      const findings = filtered(isOwn, problems, isSelected ? undefined : problems.in(name));
      const inStack = new View(view.layers, stack);
      return {
        view: inStack,
        judged: inStack.all().filter(({ key, node }) => changed.has(key) || hasStackName(node)),
        known: { ...known, stack: isPattern(name) ? undefined : name },
        findings,
        about: ({ key }) => ({
          add: (at, rule, message, severity, identity = message) => {
            if (!saidOfBase.has(`${key}: ${identity}`)) findings.add(at, rule, message, severity);
          },
        }),
      };
    }),
  ];
}

export function hasStackName(node: Node): boolean {
  return mentionsIn(node).some(({ reference }) => reference.kind === "stack");
}

/** Drops problems in parts of the lower layers that the selected stack does not use. */
export function usedOnly(root: Node, view: View, problems: Problems): Findings {
  const used = new Set<number>();
  for (const { at, below, node } of view.all()) {
    used.add(at.start);
    if (below !== undefined) used.add(below.start);
    used.add(node.at.start);
    for (const part of partsOf(node)) used.add(part.at.start).add(part.value.at.start);
  }
  const below = ["defaults", "deployments"].map((key) => valueIn(root, key));
  const isBelow = ({ start }: Span) =>
    below.some((layer) => layer?.kind === "map" && start >= layer.at.start && start < layer.at.end);
  return filtered((at) => !isBelow(at) || used.has(at.start), problems);
}

function filtered(isWanted: (at: Span) => boolean, findings: Findings, others?: Findings): Findings {
  return {
    add: (at, ...problem) => (isWanted(at) ? findings : others)?.add(at, ...problem),
  };
}
