/** Numbers that the service rounds or limits: told once, and no drift from then on. */
import { deployment as fields, type Fields } from "../../schema/fields";
import type { Context } from "./context";
import { withDrift } from "./observe";
import type { Observed } from "./service";
import { argumentsIn, memoryOf, type Adjusted, type Declared } from "./state";
import { isObject, valueAt, withValueAt, type Values } from "./values";

/**
 * What the service made of numbers that it was just sent. One that is as it was before the call is none of these: the
 * answer may lag behind.
 *
 * @param state the state before; none for a new deployment
 */
export function adjustedIn(
  { log }: Context,
  state: Values,
  declared: Declared,
  observed: Observed,
): Adjusted | undefined {
  const seen = withDrift(argumentsIn(declared), observed);
  const [before, known] = [argumentsIn(state), memoryOf(state).adjusted ?? {}];
  const entries = numberPaths(fields, declared, []).flatMap((path): [string, number][] => {
    const value = valueAt(seen, path);
    const isOther = typeof value === "number" && value !== valueAt(declared, path);
    return isOther && value !== valueAt(before, path) ? [[path.join("."), value]] : [];
  });
  for (const [path, value] of entries.filter(([path, value]) => known[path] !== value)) {
    const wanted = String(valueAt(declared, path.split(".")));
    log.warning(`${declared.name}: the service took ${path} as ${value}, not as ${wanted}`);
  }
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Drift without what the service made of the declared numbers when it took them. */
export function withoutAdjusted(drifted: Values, declared: Values, adjusted: Adjusted = {}): Values {
  return Object.entries(adjusted)
    .map(([path, value]) => ({ path: path.split("."), value }))
    .filter(({ path, value }) => valueAt(drifted, path) === value)
    .reduce((all, { path }) => withValueAt(all, path, valueAt(declared, path)), drifted);
}

function numberPaths(table: Fields, declared: Values, at: readonly string[]): string[][] {
  return Object.entries(table).flatMap(([name, field]): string[][] => {
    const [path, value] = [[...at, name], declared[name]];
    if (field.kind === "group") return isObject(value) ? numberPaths(field.fields, value, path) : [];
    return typeof value === "number" && !field.local ? [path] : [];
  });
}
