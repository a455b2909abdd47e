/** Refuses two deployments of one name, and aliases that do not name a former key of one deployment alone. */
import { sameNameText } from "../../schema/rules";
import { isUrn } from "../text/urn";
import { entryOf, itemsOf, stringValue, nodeAt, type Node, type Span } from "./node";
import { textWithBindings, type Bindings } from "./bindings";
import type { Layered } from "./layers";
import { hasReference, parseText } from "./reference";
import type { ViewCheck } from "./view-check";

/** Whether an alias is just a former key. */
export function isFormerKey(alias: Node): boolean {
  const text = stringValue(alias);
  return text !== undefined && !isUrn(text);
}

interface FormerKey {
  readonly key: string;
  readonly at: Span;
}

/** The former keys of a deployment. Excludes aliases with references or from another type, stack or project. */
function formerKeysOf(deployment: Node): FormerKey[] {
  return itemsOf(nodeAt(deployment, "options", "aliases")).flatMap((alias) => {
    const isOfOtherPlace = ["type", "stack", "project"].some((name) => entryOf(alias, name) !== undefined);
    const node = alias.kind === "map" && !isOfOtherPlace ? nodeAt(alias, "name") : alias;
    const key = stringValue(node);
    return key === undefined || isUrn(key) || hasReference(key) ? [] : [{ key, at: node!.at }];
  });
}

/** The engine refuses an alias of another resource, but only in the middle of an update. */
export function checkAliases({ deployments, view, report }: ViewCheck): void {
  for (const { key, node } of deployments) {
    for (const { key: former, at } of formerKeysOf(node)) {
      if (former === key) continue;
      if (view.deployments.has(former)) {
        const message = `"${former}" is still a deployment in this file; an alias must be a former key`;
        report(at, "name", message);
      } else if (entryOf(node, "name") === undefined) {
        const message =
          `without \`name\`, the deployment is called "${key}" on the service, and a new name replaces it; ` +
          `if it was called "${former}", write \`name: ${former}\``;
        report(at, "name", message, { severity: "warning" });
      }
    }
  }
}

/** Names are unique on the service. */
export function reportDuplicateNames({ view, known, report }: ViewCheck): void {
  const first = new Map<string, Layered>();
  for (const deployment of view.deployments.values()) {
    const name = resolvedName(deployment, known);
    const other = first.get(name);
    if (other === undefined) first.set(name, deployment);
    else {
      // In a stack, the later one that the overlay changes.
      const isEarlier = other.upper !== undefined && deployment.upper === undefined;
      const [here, there] = isEarlier ? [other, deployment] : [deployment, other];
      const identity = `${deployment.key} ${other.key}`;
      const { at, below = at } = deployment;
      report(spanOfName(deployment.node) ?? below, "name", sameNameText(here.key, there.key), {
        identity,
        inOverlay: spanOfName(here.node) ?? here.at,
      });
    }
  }
}

/** The name on the service, with known references resolved, so that equal names compare equal. */
function resolvedName({ key, node }: Layered, known: Bindings): string {
  const { parts } = parseText(stringValue(nodeAt(node, "name")) ?? key);
  return (
    textWithBindings(parts, known) ??
    JSON.stringify(parts.map((part) => textWithBindings([part], known) ?? part))
  );
}

function spanOfName(deployment: Node): Span | undefined {
  const name = nodeAt(deployment, "name");
  return name?.kind === "scalar" && name.value !== null ? name.at : undefined;
}
