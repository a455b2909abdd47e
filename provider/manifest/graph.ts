/** Which deployment refers to which: through `${deployments.…}` and through `dependsOn`. */
import { didYouMean } from "../../schema/problems";
import type { Layered, Layers, StackLayer } from "./layers";
import { View } from "./layers";
import { entryOf, type Node, type Span } from "./node";
import type { Problems } from "./problem";
import { hasReference, parseText, type Reference } from "./reference";

export interface Mention {
  readonly at: Span;
  readonly reference: Reference;
}

interface Edge {
  readonly to: string;
  readonly at: Span;
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

  constructor(
    readonly problems: Problems,
    readonly layers: Layers,
  ) {}

  check(): void {
    const base = new View(this.layers, undefined);
    const all = base.all();
    for (const deployment of all) this.#checkTargets(deployment, base);
    this.#checkCircles(
      all.map(({ key }) => key),
      base,
    );
    const users = new Map<string, string[]>();
    for (const deployment of all) {
      for (const { to } of edgesOf(deployment)) {
        if (!users.has(to)) users.set(to, []);
        users.get(to)!.push(deployment.key);
      }
    }
    for (const stack of this.layers.stacks.values()) this.#checkStack(stack, users);
  }

  /** Only what the overlay touches can be wrong in a stack and right without it. */
  #checkStack(stack: StackLayer, users: ReadonlyMap<string, readonly string[]>): void {
    const view = new View(this.layers, stack);
    for (const deployment of stack.changed.values()) this.#checkTargets(deployment, view);
    const { changed, removed } = stack;
    const missed = new Map<string, string>();
    for (const deployment of changed.values()) {
      for (const { to } of edgesOf(deployment)) if (removed.has(to)) missed.set(to, deployment.key);
    }
    for (const [key, at] of removed) {
      const unchanged = users.get(key)?.find((name) => !changed.has(name) && !removed.has(name));
      const user = missed.get(key) ?? unchanged;
      if (user !== undefined) {
        this.problems.add(at, "reference", `"${key}" cannot be taken away: "${user}" refers to it`);
      }
    }
    this.#checkCircles([...stack.changed.keys()], view);
  }

  #checkTargets(deployment: Layered, view: View): void {
    for (const { to, at } of edgesOf(deployment)) {
      if (view.get(to) !== undefined || this.#lost.has(at)) continue;
      // Told where the stack takes it away.
      if (view.stack?.removed.has(to)) continue;
      if (view.stack === undefined) this.#lost.add(at);
      const where = view.stack === undefined ? "" : ` in stack ${view.stack.name}`;
      this.problems.add(at, "reference", `there is no deployment "${to}"${where}${this.#suggest(to, view)}`);
    }
  }

  #suggest(key: string, view: View): string {
    const stack = [...this.layers.stacks.values()].find(({ changed }) => changed.has(key));
    if (stack !== undefined && view.stack === undefined) return `; it is only in stack ${stack.name}`;
    if (this.#suggestions++ >= suggestionLimit) return "";
    return didYouMean(key, view.keys());
  }

  /** Depth first, without recursion: a chain may be as long as the file. */
  #checkCircles(from: readonly string[], view: View): void {
    const done = new Set<string>();
    for (const start of from) {
      const path: { key: string; edges: Edge[]; next: number }[] = [];
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
        if (depth !== undefined) this.#report(path.slice(depth), view);
        else if (!done.has(edge.to)) enter(edge.to);
      }
    }
  }

  #report(circle: readonly { key: string; edges: Edge[]; next: number }[], view: View): void {
    const steps = circle.map(({ key, edges, next }) => ({ key, at: edges[next - 1]!.at }));
    const byPlace = [...steps].sort((a, b) => a.at.start - b.at.start);
    // In a stack, the overlay's own step is what closed the circle.
    const first = byPlace.find(({ key }) => view.stack?.changed.has(key)) ?? byPlace[0]!;
    const index = steps.indexOf(first);
    const keys = [...steps.slice(index), ...steps.slice(0, index)].map(({ key }) => key);
    // A long circle is told by its ends.
    const shown = keys.length > 8 ? [...keys.slice(0, 4), "…", ...keys.slice(-3)] : keys;
    this.problems.add(
      first.at,
      "circle",
      `refers to itself in a circle: ${[...shown, first.key].join(" -> ")}`,
    );
  }
}
