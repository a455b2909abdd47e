import { edgesOf } from "./graph";
import type { Layered, View } from "./layers";

/** The deployments of a view, each after those that it refers to, otherwise in the order of the file. No cycles. */
export function inOrderOfDependency(view: View): Layered[] {
  const order: Layered[] = [];
  const entered = new Set<string>();
  const path: { deployment: Layered; waitsFor: string[] }[] = [];
  const enter = (deployment: Layered) => {
    if (entered.has(deployment.key)) return;
    entered.add(deployment.key);
    path.push({ deployment, waitsFor: edgesOf(deployment).map(({ to }) => to) });
  };
  for (const start of view.all()) {
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.waitsFor.shift();
      if (next !== undefined) enter(view.get(next)!);
      else order.push(path.pop()!.deployment);
    }
  }
  return order;
}
