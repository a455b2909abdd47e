/** The references in the strings of a value. */
import { withEnvironment, type Environment } from "./bindings";
import { membersOf, type Placed, type Span } from "./places";
import { parseText, type Part, type Reference } from "./reference";

export interface Mention {
  readonly at: Span;
  readonly reference: Reference;
}

type Mentioning = Pick<Mention, "at"> & { readonly parts: readonly Part[] };

const known = new WeakMap<object, readonly Mentioning[]>();

/** Every reference in a value's strings, in file order, those in defaults included. */
export function mentionsIn(value: unknown): readonly Mention[] {
  return textsIn(value).flatMap(({ at, parts }) =>
    everyReference(parts).map((reference) => ({ at, reference })),
  );
}

/** Without the references in defaults that this environment does not use. */
export function mentionsUsed(value: unknown, env: Environment | undefined): readonly Mention[] {
  return textsIn(value).flatMap(({ at, parts }) => {
    const used = withEnvironment(parts, env).filter((part) => typeof part !== "string");
    return used.map((reference) => ({ at, reference }));
  });
}

function everyReference(parts: readonly Part[]): Reference[] {
  const references = parts.filter((part) => typeof part !== "string");
  return references.flatMap((part) =>
    part.kind === "env" ? [part, ...everyReference(part.default ?? [])] : [part],
  );
}

/** The strings with references. */
function textsIn(value: unknown): readonly Mentioning[] {
  if (typeof value !== "object" || value === null) return [];
  const found = known.get(value) ?? membersOf(value).flatMap(mentioning);
  known.set(value, found);
  return found;
}

function mentioning({ value, place }: Placed): readonly Mentioning[] {
  if (typeof value !== "string") return textsIn(value);
  return value.includes("${") ? [{ at: place.at, parts: parseText(value).parts }] : [];
}
