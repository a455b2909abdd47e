/** The dependencies between deployments, from `${deployments.…}` and `dependsOn`. */
import { didYouMeanText } from "../../schema/wording";
import type { Layered, Layers, View, ViewCheck } from "./layers";
import { mentionsIn } from "./mentions";
import { valueAt } from "../../schema/tree";
import { membersOf, type Span } from "./places";
import type { Report } from "./manifest-problems";
import { hasReference } from "./reference";
import { password } from "./secrecy";

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

/** The keys that a deployment depends on, and where it refers to them. */
function edgesOf({ value: deployment }: Layered): Edge[] {
  const edges: Edge[] = [];
  for (const { at, reference } of mentionsIn(deployment)) {
    if (reference.kind === "output") edges.push({ to: reference.deployment, at });
  }
  for (const { value: to, place } of membersOf(valueAt(deployment, ["options", "dependsOn"]))) {
    const { at, isSecret } = place;
    if (typeof to === "string" && !hasReference(to)) edges.push({ to, at, isSecret });
  }
  return edges;
}

/** The deployments of a view in file order, but each after its dependencies. Expects no cycles. */
export function inOrderOfDependency(view: View): Layered[] {
  const order = new Set<Layered>();
  const enter = (deployment: Layered) => {
    if (order.has(deployment)) return;
    for (const { to } of edgesOf(deployment)) enter(view.deployments.get(to)!);
    order.add(deployment);
  };
  view.deployments.forEach(enter);
  return [...order];
}

export function checkDependencies(check: ViewCheck): void {
  for (const deployment of check.deployments) checkTargets(deployment, check);
  checkRemovedDeployments(check);
  checkCycles(check);
}

/** A stack removes only deployments that the layer below has, and that nothing else refers to. */
function checkRemovedDeployments({ layers, view, report }: ViewCheck): void {
  const all = [...view.deployments.values()];
  const userOf = new Map(all.flatMap((user) => edgesOf(user).map(({ to }) => [to, user.key])));
  const base = layers.base.deployments;
  for (const [key, place] of view.removed) {
    const user = userOf.get(key);
    if (!base.has(key)) {
      const hint =
        didYouMeanText(key, [...base.keys()]) || "; to create it from the defaults alone, write `{}`";
      report(place.key, "reference", `there is no deployment "${key}" to remove${hint}`);
    } else if (user !== undefined) {
      const message = `"${key}" cannot be removed: "${user}" refers to it; change that in this stack too`;
      report(place.at, "reference", message);
    }
  }
}

function checkTargets(deployment: Layered, { layers, view, report }: ViewCheck): void {
  for (const { to, at, isSecret } of edgesOf(deployment)) {
    // `checkRemovedDeployments` reports deployments that the stack removes.
    if (view.deployments.has(to) || view.removed.has(to)) continue;
    const name = isSecret ? "***" : to.replace(password, "***");
    report(at, "reference", `there is no deployment "${name}"${suggest(to, layers)}`);
  }
}

/** Does not depend on the selected stack, so that the problem is reported once for all stacks. */
function suggest(key: string, { base, stacks }: Layers): string {
  const view = stacks.find(({ deployments }) => deployments.has(key));
  return view === undefined
    ? didYouMeanText(key, [...base.deployments.keys()])
    : `; it exists only in stack ${view.stack!.name}`;
}

/** Searches depth first. */
function checkCycles({ deployments, view, report }: ViewCheck): void {
  const done = new Set<string>();
  const path: CycleStep[] = [];
  const follow = (key: string): void => {
    const depth = path.findIndex((step) => step.key === key);
    if (depth !== -1) return reportCycle(path.slice(depth), view, report);
    const deployment = view.deployments.get(key);
    if (deployment === undefined || done.has(key)) return;
    for (const { to, at } of edgesOf(deployment)) {
      path.push({ key, at });
      follow(to);
      path.pop();
    }
    done.add(key);
  };
  for (const { key } of deployments) follow(key);
}

function reportCycle(steps: readonly CycleStep[], view: View, report: Report): void {
  const byPlace = [...steps].sort((a, b) => a.at.start - b.at.start);
  // In a stack, the overlay's own reference closed the cycle.
  const first = byPlace.find(({ key }) => view.deployments.get(key)!.upper !== undefined) ?? byPlace[0]!;
  const index = steps.indexOf(first);
  const keys = [...steps.slice(index), ...steps.slice(0, index)].map(({ key }) => key);
  report(first.at, "cycle", `refers to itself in a cycle: ${[...keys, first.key].join(" -> ")}`);
}
