/** Refuses two deployments of one name. */
import { sameNameText } from "../../schema/rules";
import { stringValue, nodeAt, type Node, type Span } from "./node";
import { textWithBindings, type Bindings } from "./bindings";
import type { Layered, View, ViewCheck } from "./layers";
import { parseText } from "./reference";

/** Names are unique on the service. */
export function reportDuplicateNames({ layers, view, known, report }: ViewCheck): void {
  const inherited = pairsOfOneName(layers.base, known).map(([one, other]) => `${one.key} ${other.key}`);
  for (const [one, other] of pairsOfOneName(view, known)) {
    const isInherited = inherited.includes(`${one.key} ${other.key}`);
    // In a stack, the later one that the overlay changes.
    const isEarlier = !isInherited && one.upper !== undefined && other.upper === undefined;
    const [here, there] = isEarlier ? [one, other] : [other, one];
    const at = isInherited ? (here.below ?? here.at) : here.at;
    report(spanOfName(here.node) ?? at, "name", sameNameText(here.key, there.key));
  }
}

function pairsOfOneName({ deployments }: View, known: Bindings): [Layered, Layered][] {
  const first = new Map<string, Layered>();
  return [...deployments.values()].flatMap((deployment): [Layered, Layered][] => {
    const name = nameOf(deployment, known);
    const other = first.get(name);
    if (other === undefined) first.set(name, deployment);
    return other === undefined ? [] : [[other, deployment]];
  });
}

/** The same reference is the same name, even if its value is not known. */
function nameOf({ key, node }: Layered, known: Bindings): string {
  const text = stringValue(nodeAt(node, "name")) ?? key;
  return textWithBindings(parseText(text).parts, known) ?? text;
}

function spanOfName(deployment: Node): Span | undefined {
  const name = nodeAt(deployment, "name");
  return name?.kind === "scalar" && name.value !== null ? name.at : undefined;
}
