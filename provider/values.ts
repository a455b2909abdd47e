/** Plain values, some of which are not known yet, and what it means for two of them to be the same. */

/** Stands for a value that is only known once something else was created. Only a preview meets it. */
export const unknownValue: unique symbol = Symbol("unknown");

export type Values = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function mapValues<T>(object: Values, map: (value: unknown, key: string) => T): { [key: string]: T } {
  // Object.fromEntries defines keys and never assigns them, so that `__proto__` is a key like any other.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/** Whether two values are the same: the order of keys says nothing, the order of lists does. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return a !== unknownValue;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  );
}

export function containsUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isObject(value) && Object.values(value).some(containsUnknown);
}

/** The value at a path through objects and lists; undefined where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, part) => {
    if (Array.isArray(at)) return typeof part === "number" ? (at[part] as unknown) : undefined;
    return isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }, value);
}

export function withValueAt<T extends object>(
  values: T,
  [part, ...rest]: readonly (string | number)[],
  value: unknown,
): T {
  const inner = (values as Values)[part!];
  const isInner = typeof inner === "object" && inner !== null;
  const changed = { [part!]: rest.length === 0 ? value : withValueAt(isInner ? inner : {}, rest, value) };
  if (Array.isArray(values)) return Object.assign([...(values as unknown[])], changed) as unknown as T;
  return { ...values, ...changed };
}

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
