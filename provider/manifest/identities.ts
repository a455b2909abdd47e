/** Refuses two deployments of one name, and aliases that do not name a former key of one deployment alone. */
import { sameNameText } from "../../schema/rules";
import { formatPath } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { databasesOf, sharedDatabaseText } from "../dialects/databases";
import { isUrn } from "../text/urn";
import { entryOf, itemsOf, stringValue, nodeAt, type Node, type Span } from "./node";
import type { Bindings } from "./bindings";
import type { Layered, View, ViewCheck } from "./layers";
import { hasReference } from "./reference";
import { comparableValues } from "./values";

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
        report(at, "name", message, "warning");
      }
    }
  }
}

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
    const name = String(comparableValues(deployment.node, known)["name"] ?? deployment.key);
    const other = first.get(name);
    if (other === undefined) first.set(name, deployment);
    return other === undefined ? [] : [[other, deployment]];
  });
}

/** Of two deployments with one database, even if only the same reference says so. */
export function reportSharedDatabases({ view, known, report }: ViewCheck, dialect: Dialect): void {
  const first = new Map<string, Layered>();
  for (const deployment of view.deployments.values()) {
    for (const { path, identity } of databasesOf(comparableValues(deployment.node, known), dialect)) {
      const key = JSON.stringify([path, identity]);
      const other = first.get(key);
      if (other === undefined) first.set(key, deployment);
      else {
        const at = nodeAt(deployment.node, ...path.map(String))?.at ?? deployment.at;
        report(at, "fields", `${formatPath(path)} ${sharedDatabaseText(other.key)}`);
      }
    }
  }
}

function spanOfName(deployment: Node): Span | undefined {
  const name = nodeAt(deployment, "name");
  return name?.kind === "scalar" && name.value !== null ? name.at : undefined;
}
