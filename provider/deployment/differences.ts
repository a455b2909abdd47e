/** Where two values differ, as deep as both go the same way, and putting single values back. */
import { isEqual, isObject, type Values } from "../values";

export type ValuePath = readonly (string | number)[];

export interface Difference {
  readonly path: ValuePath;
  readonly declared: unknown;
  /** Undefined where it is not there. */
  readonly seen: unknown;
}

/** What is declared and seen otherwise. A list of another length differs as a whole. */
export function differencesBetween(declared: unknown, seen: unknown, at: ValuePath = []): Difference[] {
  if (isEqual(declared, seen)) return [];
  if (isObject(declared) && isObject(seen)) {
    return Object.keys(declared).flatMap((key) =>
      differencesBetween(declared[key], Object.hasOwn(seen, key) ? seen[key] : undefined, [...at, key]),
    );
  }
  if (Array.isArray(declared) && Array.isArray(seen) && declared.length === seen.length) {
    return declared.flatMap((item, index) => differencesBetween(item, seen[index], [...at, index]));
  }
  return [{ path: at, declared, seen }];
}

/** What is seen, with these differences undone. */
export function withoutDifferences(seen: Values, differences: readonly Difference[]): Values {
  return differences.reduce<Values>(
    (all, { path, declared }) => withValueIn(all, path, declared) as Values,
    seen,
  );
}

function withValueIn(whole: unknown, [part, ...rest]: ValuePath, value: unknown): unknown {
  if (part === undefined) return value;
  if (Array.isArray(whole)) {
    return whole.map((item: unknown, index) => (index === part ? withValueIn(item, rest, value) : item));
  }
  const object = isObject(whole) ? whole : {};
  return { ...object, [part]: withValueIn(object[part], rest, value) };
}

/** The value at a path through objects and lists; undefined where there is none. */
export function valueIn(whole: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>((at, part) => {
    if (Array.isArray(at)) return at[part as number] as unknown;
    return isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }, whole);
}
