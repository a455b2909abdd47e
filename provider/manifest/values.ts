/** Replaces the references in a deployment's values. Omits `null` and parses replaced strings as the expected type. */
import type { z } from "zod";
import { isObject, unknownValue } from "../../schema/tree";
import { textWithBindings, type Bindings } from "./bindings";
import { entriesOf, membersOf, type Place } from "./places";
import { parseText, type Text } from "./reference";
import { parseScalar } from "./scalar";
import { isAbsent, schemaOfEntry, schemaOfItem, typeFor, type Type } from "./types";

/** Replaces a string with references by a value of the expected kind. */
export type Replace = (text: Text, kind: Type["kind"], place: Place | undefined) => unknown;

/** The values, with references replaced by what is known of them. */
export function withKnown(written: unknown, given: z.ZodType, known: Bindings): unknown {
  return replaced(written, given, ({ parts, problems }, kind) => {
    const text = problems.length === 0 ? textWithBindings(parts, known) : undefined;
    if (text !== undefined) return parseScalar(kind, text);
    // It can become any scalar, but not a collection.
    return kind === "object" || kind === "map" || kind === "list" ? "" : unknownValue;
  });
}

export function replaced(written: unknown, given: z.ZodType, replace: Replace, place?: Place): unknown {
  const type = typeFor(given, isObject(written));
  if (typeof written === "string") return replacedText(written, type.kind, replace, place);
  if (Array.isArray(written))
    return membersOf(written).map((item) => replaced(item.value, schemaOfItem(type), replace, item.place));
  if (!isObject(written)) return written;
  return Object.fromEntries(
    [...entriesOf(written)]
      .filter(([key, entry]) => !isAbsent(type, key, entry))
      .map(([key, entry]) => [key, replaced(entry.value, schemaOfEntry(type, key), replace, entry.place)]),
  );
}

function replacedText(written: string, kind: Type["kind"], replace: Replace, place?: Place): unknown {
  const text = parseText(written);
  const [only] = text.parts;
  // A string without references stays a string, so quotes keep their meaning.
  const isLiteral = text.parts.length === 1 && text.problems.length === 0;
  return isLiteral && typeof only === "string" ? only : replace(text, kind, place);
}
