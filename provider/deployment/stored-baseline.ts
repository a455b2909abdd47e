/**
 * The baseline as the state stores it: without what the service shows as it was declared. That is most of it, and the arguments
 * have it already.
 */
import { asObject, formatPath, isEqual, mapValues, type Path, valueAt, type Values } from "../../schema/tree";
import { marked, type Seen, seenOf } from "./baseline";

export interface StoredBaseline {
  /** What differs from the declared arguments. */
  readonly seen: Seen;
  /** Paths of declared arguments that the baseline does not contain. */
  readonly unseen?: readonly string[];
}

export function storedBaseline(seen: Seen, args: Values): StoredBaseline {
  const unseen: string[] = [];
  const differing = seenFrom(seen, args, (path, value, asDeclared) => {
    if (isEqual(value, asDeclared)) return undefined;
    if (value === undefined) unseen.push(formatPath(path));
    return value;
  });
  return { seen: differing, ...(unseen.length > 0 && { unseen }) };
}

export function baselineFrom({ seen, unseen = [] }: StoredBaseline, args: Values): Seen {
  return seenFrom(seen, args, (path, value, asDeclared) => {
    if (value !== undefined || asDeclared === undefined) return value;
    return unseen.length > 0 && unseen.includes(formatPath(path)) ? undefined : asDeclared;
  });
}

/** @param map gets each value, and the one of a service that shows everything as it was sent */
function seenFrom(
  seen: Seen,
  args: Values,
  map: (path: Path, value: unknown, asDeclared: unknown) => unknown,
): Seen {
  const marks = asObject(seen["secrets"]);
  const declared = asObject(args["secrets"]);
  const secrets = mapValues({ ...declared, ...marks }, (_, name) => {
    const isDeclared = Object.hasOwn(declared, name);
    return map(["secrets", name], valueAt(marks, [name]), isDeclared ? marked("as sent") : undefined);
  });
  return seenOf(({ path }) => map(path, valueAt(seen, path), valueAt(args, path)), secrets);
}
