/** Refuses two deployments of one name. */
import { sameNameText } from "../../schema/rules";
import { valueAt } from "../../schema/tree";
import { placeAt } from "./places";
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
    const { key } = (isInherited ? here.below : undefined) ?? here.place;
    report(placeAt(here.value, ["name"])?.at ?? key, "name", sameNameText(here.key, there.key));
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
function nameOf({ key, value }: Layered, known: Bindings): string {
  const name = valueAt(value, ["name"]);
  const text = typeof name === "string" ? name : key;
  return textWithBindings(parseText(text).parts, known) ?? text;
}
