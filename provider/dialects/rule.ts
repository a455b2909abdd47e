import type { Path } from "../../schema/tree";

/** The rule for a path: its own, or that of the nearest enclosing path. */
export function ruleFor<T>(rules: Readonly<Record<string, T>>, path: Path): T | undefined {
  const around = path.map((_, index) => path.slice(0, index + 1).join("."));
  const nearest = around.filter((each) => Object.hasOwn(rules, each)).pop();
  return nearest === undefined ? undefined : rules[nearest];
}
