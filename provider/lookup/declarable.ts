/** Reduces a value to what a program can declare. The rest stays on the service and is listed. */
import type { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { isObject, type Path } from "../../schema/tree";

interface Declarable {
  /** Undefined if no part can be declared. */
  readonly value: unknown;
  /** The paths that were left out; an empty path is the value itself. */
  readonly leftOut: readonly Path[];
}

export function declarablePart(type: z.ZodType, given: unknown): Declarable {
  const value = structuredClone(given);
  const leftOut: Path[] = [];
  for (;;) {
    const wrong = problemsOf(type, value).map(({ path }) => path);
    if (wrong.length === 0) return { value, leftOut };
    // Find all members before removing the first one, because one can contain another.
    const places = wrong.map((path) => memberAt(value, path));
    for (const place of places) {
      if (place === undefined) return { value: undefined, leftOut: [[]] };
      const { owner, name, path } = place;
      if (!Object.hasOwn(owner, name)) continue;
      if (!isUnset(owner[name], path)) leftOut.push(path);
      delete owner[name];
    }
  }
}

/**
 * The innermost existing object member on a path. List items keep their indexes, so a bad item removes the member that
 * holds the list.
 */
function memberAt(value: unknown, path: Path) {
  let found: { owner: Record<string, unknown>; name: string; path: Path } | undefined;
  let at = value;
  for (const [index, part] of path.entries()) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) break;
    if (isObject(at)) found = { owner: at, name: String(part), path: path.slice(0, index + 1) };
    at = (at as Record<string | number, unknown>)[part];
  }
  return found;
}

/** Inside list items, the service returns unset members as `null`. */
function isUnset(value: unknown, path: Path): boolean {
  return value === null && path.some((part) => typeof part === "number");
}
