/** As much of a value as a program can declare. The rest stays on the service as it is, and is named. */
import type { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { isObject, type Path } from "../../schema/tree";

export interface Declarable {
  /** Undefined where nothing of it can be declared. */
  readonly value: unknown;
  /** Places of what was left out; the empty one is the value itself. */
  readonly leftOut: readonly Path[];
}

export function declarablePart(type: z.ZodType, given: unknown): Declarable {
  const value = structuredClone(given);
  const leftOut: Path[] = [];
  for (;;) {
    const wrong = problemsOf(type, value).map(({ path }) => path);
    if (wrong.length === 0) return { value, leftOut };
    // All places are looked up before the first is taken out, since each may lie within another.
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
 * The innermost member of an object that is there on the way to a place. Items stay in their lists, so that each keeps
 * its number: one that cannot be declared takes the member along that holds the list.
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

/** Within an item of a list, whose members are known, `null` says that a member is not set. */
function isUnset(value: unknown, path: Path): boolean {
  return value === null && path.some((part) => typeof part === "number");
}
