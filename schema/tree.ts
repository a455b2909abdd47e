/** Functions for plain values as trees: paths, traversal, comparison. */

/** A value that is not known yet. Occurs only in previews. */
export const unknownValue: unique symbol = Symbol("unknown");

export type Values = { readonly [key: string]: unknown };

/** A path within a value: member names and list indexes. */
export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one for anything else. */
export function asObject(value: unknown): Values {
  return isObject(value) ? value : {};
}

/** Whether a value means the same as none: nothing, `null`, an empty list or an empty object. */
export function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0)
  );
}

/** `["sourceConfig", "resourceSpec", "volumes", 0, "name"]` as `sourceConfig.resourceSpec.volumes[0].name`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    if (/^[\w$-]+$/.test(part)) return text === "" ? part : `${text}.${part}`;
    return `${text}[${JSON.stringify(part)}]`;
  }, "");
}

/** Whether a path equals another one, or leads to something inside it. */
export function isWithin(path: Path, place: Path): boolean {
  return place.every((part, index) => part === path[index]);
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  // Loops, because these are called for every field of every deployment.
  let at = value;
  for (const part of path) {
    if (at === undefined) return undefined;
    at = memberOf(at, part);
  }
  return at;
}

function memberOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return typeof part === "number" ? (value[part] as unknown) : undefined;
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

/** The value at a path, or the first one on the way there that `ends` it. */
export function valueTowards(value: unknown, path: Path, ends: (value: unknown) => boolean): unknown {
  let at = value;
  for (const part of path) {
    if (ends(at)) return at;
    at = memberOf(at, part);
  }
  return at;
}

/** Whether the value at a path, or a value that contains it, is not known yet. */
export function isBelowUnknown(value: unknown, path: Path): boolean {
  return valueTowards(value, path, (at) => at === unknownValue) === unknownValue;
}

/** A copy with the value at the path replaced, or removed if it is undefined. Adds missing objects. */
export function withValueAt<T extends object>(values: T, [part, ...rest]: Path, value: unknown): T {
  const { [part!]: inner, ...others } = values as Values;
  const isInner = typeof inner === "object" && inner !== null;
  const changed = rest.length === 0 ? value : withValueAt(isInner ? inner : {}, rest, value);
  if (Array.isArray(values)) return Object.assign([...(values as unknown[])], { [part!]: changed }) as T;
  return (changed === undefined ? others : { ...values, [part!]: changed }) as T;
}

/** A tree of the values at these paths, a group before its members. Adds missing objects, and leaves out what is undefined. */
export function treeOf(entries: readonly (readonly [path: readonly string[], value: unknown])[]): Values {
  const tree: Record<string, unknown> = {};
  for (const [path, value] of entries) {
    if (value === undefined) continue;
    const around = path.slice(0, -1).reduce((at, part) => {
      const inner = isObject(at[part]) ? at[part] : {};
      at[part] = inner;
      return inner as Record<string, unknown>;
    }, tree);
    around[path.at(-1)!] = value;
  }
  return tree;
}

/** Adds the values that are missing, at any depth. */
export function withMissing(values: Values, more: Values): Values {
  const added = mapValues(more, (value, name) => {
    const own = values[name];
    return isObject(value) ? withMissing(asObject(own), value) : (own ?? value);
  });
  return { ...values, ...added };
}

export function mapValues<T>(object: Values, map: (value: unknown, key: string) => T): { [key: string]: T } {
  // Object.fromEntries defines keys instead of assigning them, so `__proto__` is an ordinary key.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/** A copy without the members that are undefined. */
export function withoutAbsent(object: Values): Values {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** A copy with every leaf mapped. Leaves are neither lists nor objects. */
export function mapLeaves(value: unknown, map: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map));
  return isObject(value) ? mapValues(value, (member) => mapLeaves(member, map)) : map(value);
}

/** All leaves, at any depth. */
function leavesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

/** Every string in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  return leavesOf(value).filter((leaf) => typeof leaf === "string");
}

export function hasUnknown(value: unknown): boolean {
  return leavesOf(value).includes(unknownValue);
}

/** Whether two values are equal. The order of lists matters, the order of keys does not. What is unknown equals nothing. */
export function isEqual(a: unknown, b: unknown): boolean {
  return agree(a, b, false);
}

/** Whether two values could turn out to be equal, once everything is known. What is unknown is at least there. */
export function mayBeEqual(a: unknown, b: unknown): boolean {
  return agree(a, b, true);
}

function agree(a: unknown, b: unknown, isUnknownEqual: boolean): boolean {
  if (a === unknownValue || b === unknownValue) return isUnknownEqual && a !== undefined && b !== undefined;
  if (a === b || Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => agree(item, b[index], isUnknownEqual));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && agree(a[name], b[name], isUnknownEqual))
  );
}

/** The innermost paths at which two values differ. Lists are compared by index. A value on one side alone is one difference. */
export function differingPaths(before: unknown, after: unknown, at: Path = []): Path[] {
  if (isEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const longer = before.length > after.length ? before : after;
    return longer.flatMap((_, index) => differingPaths(before[index], after[index], [...at, index]));
  }
  if (!isObject(before) || !isObject(after)) return [at];
  const names = Object.keys({ ...before, ...after });
  return names.flatMap((name) =>
    differingPaths(valueAt(before, [name]), valueAt(after, [name]), [...at, name]),
  );
}
