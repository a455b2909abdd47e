import { edgesOf } from "./graph";
import type { Layered, View } from "./layers";

/** The deployments of a view in file order, but each after its dependencies. Expects no cycles. */
export function inOrderOfDependency(view: View): Layered[] {
  const order = new Set<Layered>();
  const enter = (deployment: Layered) => {
    if (order.has(deployment)) return;
    for (const { to } of edgesOf(deployment)) enter(view.get(to)!);
    order.add(deployment);
  };
  view.all().forEach(enter);
  return [...order];
}
