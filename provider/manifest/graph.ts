/** The dependencies between deployments, from `${deployments.…}` and `dependsOn`. */
import { didYouMean } from "../../schema/problems";
import type { Layered, Layers, StackLayer, View } from "./layers";
import { entryOf, type Node, type Span } from "./node";
import type { Findings } from "./problem";
import { hasReference, parseText, type Reference } from "./reference";
import type { Scope } from "./scopes";
import { password } from "./secrecy";

export interface Mention {
  readonly at: Span;
  readonly reference: Reference;
}

interface Edge {
  readonly to: string;
  readonly at: Span;
  /** Whether the key comes from a secret, through a YAML alias. */
  readonly isSecret?: boolean | undefined;
}

/** A step of a dependency path: a deployment, and where it refers to the next one. */
interface CycleStep {
  readonly key: string;
  readonly at: Span;
}

const mentions = new WeakMap<Node, readonly Mention[]>();

/** Every reference in a node's strings, in file order. */
export function mentionsIn(node: Node): readonly Mention[] {
  const found = mentions.get(node) ?? collect(node);
  mentions.set(node, found);
  return found;
}

function collect(node: Node): readonly Mention[] {
  if (node.kind === "list") return node.items.flatMap(mentionsIn);
  if (node.kind === "map") return [...node.entries.values()].flatMap(({ value }) => mentionsIn(value));
  if (typeof node.value !== "string" || !node.value.includes("${")) return [];
  const { parts } = parseText(node.value);
  return parts.flatMap((part) => (typeof part === "string" ? [] : [{ at: node.at, reference: part }]));
}

/** The keys that a deployment depends on, and where it refers to them. */
export function edgesOf({ node }: Layered): Edge[] {
  const dependsOn = entryOf(entryOf(node, "options")?.value, "dependsOn")?.value;
  const listed = dependsOn?.kind === "list" ? dependsOn.items : [];
  return [
    ...mentionsIn(node).flatMap(({ at, reference }) =>
      reference.kind === "output" ? [{ to: reference.deployment, at }] : [],
    ),
    ...listed.flatMap((item) =>
      item.kind === "scalar" && typeof item.value === "string" && !hasReference(item.value)
        ? [{ to: item.value, at: item.at, isSecret: item.isSecret }]
        : [],
    ),
  ];
}

export function checkGraph(scope: Scope): void {
  const { judged, view, findings } = scope;
  for (const deployment of judged) checkTargets(deployment, view, findings);
  if (view.stack !== undefined) checkRemovals(view.stack, view, findings);
  checkCycles(scope);
}

function checkRemovals({ removed, missing }: StackLayer, view: View, findings: Findings): void {
  const users = view.all().flatMap((user) => edgesOf(user).map(({ to }): [string, string] => [to, user.key]));
  const userOf = new Map(users);
  for (const [key, at] of removed) {
    const user = userOf.get(key);
    if (user !== undefined) {
      findings.add(at, "reference", `"${key}" cannot be removed: "${user}" refers to it`);
    }
  }
  for (const [key, at] of missing) {
    const hint =
      didYouMean(key, [...view.layers.base.keys()]) || "; to create it from the defaults alone, write `{}`";
    findings.add(at, "reference", `there is no deployment "${key}" to remove${hint}`);
  }
}

function checkTargets(deployment: Layered, view: View, findings: Findings): void {
  for (const { to, at, isSecret } of edgesOf(deployment)) {
    // `checkRemovals` reports deployments that the stack removes.
    if (view.get(to) !== undefined || view.stack?.removed.has(to)) continue;
    const name = isSecret ? "***" : to.replace(password, "***");
    findings.add(at, "reference", `there is no deployment "${name}"${suggest(to, view.layers)}`);
  }
}

/** Does not depend on the selected stack, so that the problem is reported once for all stacks. */
function suggest(key: string, { base, stacks }: Layers): string {
  const stack = [...stacks.values()].find(({ changed }) => changed.has(key));
  return stack === undefined ? didYouMean(key, [...base.keys()]) : `; it exists only in stack ${stack.name}`;
}

/** Searches depth first. */
function checkCycles({ judged, view, findings }: Scope): void {
  const done = new Set<string>();
  const path: CycleStep[] = [];
  const follow = (key: string): void => {
    const depth = path.findIndex((step) => step.key === key);
    if (depth !== -1) return reportCycle(path.slice(depth), view, findings);
    const deployment = view.get(key);
    if (deployment === undefined || done.has(key)) return;
    for (const { to, at } of edgesOf(deployment)) {
      path.push({ key, at });
      follow(to);
      path.pop();
    }
    done.add(key);
  };
  for (const { key } of judged) follow(key);
}

function reportCycle(steps: readonly CycleStep[], view: View, findings: Findings): void {
  const byPlace = [...steps].sort((a, b) => a.at.start - b.at.start);
  // In a stack, the overlay's own reference closed the cycle.
  const first = byPlace.find(({ key }) => view.stack?.changed.has(key)) ?? byPlace[0]!;
  const index = steps.indexOf(first);
  const keys = [...steps.slice(index), ...steps.slice(0, index)].map(({ key }) => key);
  // The middle of a long cycle is left out.
  const shown = keys.length > 8 ? [...keys.slice(0, 4), "…", ...keys.slice(-3)] : keys;
  findings.add(first.at, "cycle", `refers to itself in a cycle: ${[...shown, first.key].join(" -> ")}`);
}
