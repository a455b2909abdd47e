/** Refuses two deployments of one name, and aliases that do not name a former key of one deployment alone. */
import { sameNameText } from "../../schema/rules";
import { formatPath } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { databaseIn, databaseVariables, sharedDatabaseText, type OwnDatabase } from "../dialects/databases";
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

/** Of two deployments with one database, even if only the same reference says so. */
export function reportSharedDatabases({ view, known, report }: ViewCheck, dialect: Dialect): void {
  const first = new Map<string, Layered>();
  for (const deployment of view.deployments.values()) {
    for (const { path, identity } of databasesIn(deployment.node, known, dialect)) {
      const key = JSON.stringify([path, identity]);
      const other = first.get(key);
      if (other === undefined) first.set(key, deployment);
      else {
        const at = nodeAt(deployment.node, ...path.map(String))?.at ?? deployment.at;
        const message = `${formatPath(path)} ${sharedDatabaseText(other.key)}`;
        report(at, "fields", message, { identity: `${deployment.key} ${other.key} ${formatPath(path)}` });
      }
    }
  }
}

function databasesIn(deployment: Node, known: Bindings, dialect: Dialect): OwnDatabase[] {
  return databaseVariables(dialect).flatMap((name) => {
    const paths = [
      ["secrets", name],
      ["secretReferences", name],
    ];
    return paths.flatMap((path): OwnDatabase[] => {
      const node = nodeAt(deployment, ...path);
      if (node === undefined) return [];
      const place = ["listenerId", "listenerConfig"].map((each) => nodeAt(deployment, "sourceConfig", each));
      const nodes = path[0] === "secrets" ? [node] : [node, ...place];
      return [{ path, identity: nodes.map((each) => resolvedText(each, known)).join(" ") }];
    });
  });
}

/** The value in one text. What is not known yet stays as it is written. */
function resolvedText(node: Node | undefined, known: Bindings): string {
  if (node?.kind === "map") {
    const entries = [...node.entries].map(([key, { value }]) => [key, resolvedText(value, known)]);
    return JSON.stringify(entries.sort());
  }
  const text = stringValue(node) ?? "";
  const resolved = textWithBindings(parseText(text).parts, known);
  return resolved === undefined ? text : databaseIn(resolved);
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
