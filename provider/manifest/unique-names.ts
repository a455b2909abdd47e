/** Refuses two deployments with the same name in a stack, because names are unique on the service. */
import { hasNameOf } from "../../schema/rules";
import { textOf, valueIn, type Span } from "./node";
import type { Layered } from "./layers";
import { knownText, type Bindings } from "./bindings";
import { parseText } from "./reference";
import type { Scope } from "./scopes";

export function checkNames({ view, known, findings }: Scope): void {
  const first = new Map<string, Layered>();
  for (const deployment of view.all()) {
    const name = resolvedName(deployment, known);
    const other = first.get(name);
    if (other === undefined) first.set(name, deployment);
    else {
      // Report the later one, unless only the overlay has the earlier one.
      const isEarlier = other.upper !== undefined && deployment.upper === undefined;
      const [here, there] = isEarlier ? [other, deployment] : [deployment, other];
      findings.add(spanOfName(here), "name", hasNameOf(here.key, there.key));
    }
  }
}

/** The name on the service, with known references resolved, so that equal names compare equal. */
function resolvedName({ key, node }: Layered, known: Bindings): string {
  const { parts } = parseText(textOf(valueIn(node, "name")) ?? key);
  return knownText(parts, known) ?? JSON.stringify(parts.map((part) => knownText([part], known) ?? part));
}

function spanOfName({ node, at }: Layered): Span {
  const name = valueIn(node, "name");
  return name?.kind === "scalar" && name.value !== null ? name.at : at;
}
