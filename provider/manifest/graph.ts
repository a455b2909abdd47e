/** Which deployment refers to which: through `${deployments.…}` and through `dependsOn`. */
import { didYouMean } from "../../schema/problems";
import type { Layered, Layers, StackLayer, View } from "./layers";
import { entryOf, type Node, type Span } from "./node";
import { nameOf, quoting, type Findings } from "./problem";
import { hasReference, parseText, type Reference } from "./reference";
import type { Scope } from "./scopes";

export interface Mention {
  readonly at: Span;
  readonly reference: Reference;
}

interface Edge {
  readonly to: string;
  readonly at: Span;
}

/** Of a path along the edges: the deployment, and which of its edges is next. */
interface Step {
  readonly key: string;
  readonly edges: readonly Edge[];
  next: number;
}

const none: readonly never[] = [];
const mentions = new WeakMap<Node, readonly Mention[]>();

/** Every reference in the texts of a node, in the order of the file. */
export function mentionsIn(node: Node): readonly Mention[] {
  const found = mentions.get(node);
  if (found !== undefined) return found;
  const result = collect(node);
  mentions.set(node, result);
  return result;
}

function collect(node: Node): readonly Mention[] {
  if (node.kind === "scalar") {
    if (typeof node.value !== "string" || !node.value.includes("${")) return none;
    const { parts } = parseText(node.value);
    return parts.flatMap((part) => (typeof part === "string" ? [] : [{ at: node.at, reference: part }]));
  }
  const inner = node.kind === "list" ? node.items : [...node.entries.values()].map(({ value }) => value);
  const all = inner.map(mentionsIn).filter(({ length }) => length > 0);
  return all.length === 0 ? none : all.flat();
}

/** The keys that a deployment must wait for, and where it says so. */
export function edgesOf({ node }: Layered): Edge[] {
  const dependsOn = entryOf(entryOf(node, "options")?.value, "dependsOn")?.value;
  const listed = dependsOn?.kind === "list" ? dependsOn.items : [];
  return [
    ...mentionsIn(node).flatMap(({ at, reference }) =>
      reference.kind === "output" ? [{ to: reference.deployment, at }] : [],
    ),
    ...listed.flatMap((item) =>
      item.kind === "scalar" && typeof item.value === "string" && !hasReference(item.value)
        ? [{ to: item.value, at: item.at }]
        : [],
    ),
  ];
}

/** Far more than anybody reads; each one compares a word with every key of the file. */
const suggestionLimit = 50;

export class GraphChecker {
  #suggestions = 0;
  /** Where a problem was found that no stack makes. */
  readonly #lost = new Set<Span>();
  readonly #users: ReadonlyMap<string, readonly string[]>;

  constructor(readonly layers: Layers) {
    this.#users = usersIn(layers);
  }

  /** Of another stack than the selected one only what its overlay touches: nothing else can be wrong in it alone. */
  check({ judged, view, findings }: Scope): void {
    for (const deployment of judged) this.#checkTargets(deployment, view, findings);
    if (view.stack !== undefined) this.#checkRemovals(view.stack, findings);
    const keys = judged.map(({ key }) => key);
    this.#checkCycles(keys, view, findings);
  }

  #checkRemovals({ changed, removed, missing }: StackLayer, findings: Findings): void {
    const missed = new Map<string, string>();
    for (const deployment of changed.values()) {
      for (const { to } of edgesOf(deployment)) if (removed.has(to)) missed.set(to, deployment.key);
    }
    for (const [key, at] of removed) {
      const unchanged = this.#users.get(key)?.find((name) => !changed.has(name) && !removed.has(name));
      const user = missed.get(key) ?? unchanged;
      if (user !== undefined) {
        findings.add(at, "reference", `"${key}" cannot be removed: "${user}" refers to it`);
      }
    }
    for (const [key, at] of missing) {
      const hint = didYouMean(key, [...this.layers.base.keys()]) || "; `{}` makes one of the defaults alone";
      findings.add(
        at,
        "reference",
        quoting(nameOf(key), (it) => `there is no deployment${it} to remove${hint}`),
      );
    }
  }

  #checkTargets(deployment: Layered, view: View, findings: Findings): void {
    for (const { to, at } of edgesOf(deployment)) {
      if (view.get(to) !== undefined || this.#lost.has(at)) continue;
      // Told where the stack takes it away.
      if (view.stack?.removed.has(to)) continue;
      if (view.stack === undefined) this.#lost.add(at);
      const where = view.stack === undefined ? "" : ` in stack ${view.stack.name}`;
      const hint = this.#suggest(to, view);
      findings.add(
        at,
        "reference",
        quoting(to, (it) => `there is no deployment${it || " of this name"}${where}${hint}`),
      );
    }
  }

  #suggest(key: string, view: View): string {
    const stack = [...this.layers.stacks.values()].find(({ changed }) => changed.has(key));
    if (stack !== undefined && view.stack === undefined) return `; it is only in stack ${stack.name}`;
    if (this.#suggestions++ >= suggestionLimit) return "";
    return didYouMean(key, view.keys());
  }

  /** Depth first, without recursion: a chain may be as long as the file. */
  #checkCycles(from: readonly string[], view: View, findings: Findings): void {
    const done = new Set<string>();
    for (const start of from) {
      const path: Step[] = [];
      const depths = new Map<string, number>();
      const enter = (key: string) => {
        const deployment = view.get(key);
        depths.set(key, path.length);
        path.push({ key, edges: deployment === undefined ? [] : edgesOf(deployment), next: 0 });
      };
      if (!done.has(start)) enter(start);
      for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        const edge = top.edges[top.next++];
        if (edge === undefined) {
          path.pop();
          depths.delete(top.key);
          done.add(top.key);
          continue;
        }
        const depth = depths.get(edge.to);
        if (depth !== undefined) this.#report(path.slice(depth), view, findings);
        else if (!done.has(edge.to)) enter(edge.to);
      }
    }
  }

  #report(cycle: readonly Step[], view: View, findings: Findings): void {
    const steps = cycle.map(({ key, edges, next }) => ({ key, at: edges[next - 1]!.at }));
    const byPlace = [...steps].sort((a, b) => a.at.start - b.at.start);
    // In a stack, the overlay's own step is what closed the cycle.
    const first = byPlace.find(({ key }) => view.stack?.changed.has(key)) ?? byPlace[0]!;
    const index = steps.indexOf(first);
    const keys = [...steps.slice(index), ...steps.slice(0, index)].map(({ key }) => key);
    // A long cycle is told by its ends.
    const shown = keys.length > 8 ? [...keys.slice(0, 4), "…", ...keys.slice(-3)] : keys;
    findings.add(first.at, "cycle", `refers to itself in a cycle: ${[...shown, first.key].join(" -> ")}`);
  }
}

/** Which deployments refer to a deployment, where no overlay applies. */
function usersIn({ base }: Layers): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const deployment of base.values()) {
    for (const { to } of edgesOf(deployment)) {
      if (!users.has(to)) users.set(to, []);
      users.get(to)!.push(deployment.key);
    }
  }
  return users;
}
