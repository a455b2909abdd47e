/** Converts a deployment's nodes to values. Omits `null` and parses replaced strings as the expected type. */
import type { z } from "zod";
import type { Node, ScalarNode, Span } from "./node";
import { parseText, type Part } from "./reference";
import { isAbsent, schemaOfEntry, schemaOfItem, typeFor, type Type } from "./types";

/** Replaces a string with references by a value of the expected kind. */
export type Replace = (parts: readonly Part[], kind: Type["kind"], at: Span) => unknown;

export function valueFromNode(node: Node, given: z.ZodType, replace: Replace): unknown {
  const type = typeFor(given, node);
  if (node.kind === "scalar") return valueFromScalar(node, type.kind, replace);
  if (node.kind === "list") return node.items.map((item) => valueFromNode(item, schemaOfItem(type), replace));
  return Object.fromEntries(
    [...node.entries]
      .filter(([key, { value }]) => !isAbsent(type, key, value))
      .map(([key, { value }]) => [key, valueFromNode(value, schemaOfEntry(type, key), replace)]),
  );
}

function valueFromScalar({ value, at }: ScalarNode, kind: Type["kind"], replace: Replace): unknown {
  if (typeof value !== "string") return value;
  const { parts } = parseText(value);
  const [only] = parts;
  // A string without references stays a string, so quotes keep their meaning.
  return parts.length === 1 && typeof only === "string" ? only : replace(parts, kind, at);
}
