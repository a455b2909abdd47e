/** Converts a deployment's nodes to values. Omits `null` and parses replaced strings as the expected type. */
import type { z } from "zod";
import { unknownValue } from "../../schema/tree";
import { textWithBindings, type Bindings } from "./bindings";
import type { Node, ScalarNode, Span } from "./node";
import { parseText, type Text } from "./reference";
import { parseScalar } from "./scalar";
import { isAbsent, schemaOfEntry, schemaOfItem, typeFor, type Type } from "./types";

/** Replaces a string with references by a value of the expected kind. */
export type Replace = (text: Text, kind: Type["kind"], at: Span) => unknown;

/** The values of a node, with references replaced by what is known of them. */
export function valuesFromNode(node: Node, given: z.ZodType, known: Bindings): unknown {
  return valueFromNode(node, given, ({ parts, problems }, kind) => {
    const text = problems.length === 0 ? textWithBindings(parts, known) : undefined;
    if (text !== undefined) return parseScalar(kind, text);
    // It can become any scalar, but not a collection.
    return kind === "object" || kind === "map" || kind === "list" ? "" : unknownValue;
  });
}

export function valueFromNode(node: Node, given: z.ZodType, replace: Replace): unknown {
  const type = typeFor(given, node);
  if (node.kind === "scalar") return valueFromScalar(node, type.kind, replace);
  if (node.kind === "list") return node.items.map((item) => valueFromNode(item, schemaOfItem(type), replace));
  return Object.fromEntries(
    [...node.entries]
      .filter(([key, entry]) => !isAbsent(type, key, entry))
      .map(([key, { value }]) => [key, valueFromNode(value, schemaOfEntry(type, key), replace)]),
  );
}

function valueFromScalar({ value, at }: ScalarNode, kind: Type["kind"], replace: Replace): unknown {
  if (typeof value !== "string") return value;
  const text = parseText(value);
  const [only] = text.parts;
  // A string without references stays a string, so quotes keep their meaning.
  const isLiteral = text.parts.length === 1 && text.problems.length === 0;
  return isLiteral && typeof only === "string" ? only : replace(text, kind, at);
}
