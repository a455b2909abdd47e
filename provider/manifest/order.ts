import { edgesOf } from "./graph";
import type { Layered, View } from "./layers";

/** The deployments of a view, each after those that it refers to, otherwise in the order of the file. No cycles. */
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
