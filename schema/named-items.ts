/** Lists whose items have names, such as containers, volumes and variables: the order of the others does not matter to an item. */
import { valueAt } from "./tree";

/** What tells an item from the others of its list: mounts of one volume differ in their paths, everything else in its name. */
function nameOf(item: unknown): unknown {
  return valueAt(item, ["mountPath"]) ?? valueAt(item, ["name"]);
}

/** The items by name; undefined if names do not tell them apart. */
export function byName(items: readonly unknown[]): ReadonlyMap<unknown, unknown> | undefined {
  const named = new Map(items.map((item) => [nameOf(item), item]));
  return named.size < items.length || named.has(undefined) ? undefined : named;
}
