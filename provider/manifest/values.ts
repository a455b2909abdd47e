/** From the nodes of a deployment to its values: `null` taken as absent, texts read as what is expected. */
import type { z } from "zod";
import { isNull, type Node, type ScalarNode, type Span } from "./node";
import { parseText, type Part } from "./reference";
import { describeType, unwrap, type Type } from "./types";

/** What becomes of a text with references, where a value of this kind is expected. */
export type Replace = (parts: readonly Part[], kind: Type["kind"], at: Span) => unknown;

export function valueOf(node: Node, given: z.ZodType, replace: Replace): unknown {
  const { type, isNullable } = unwrap(given);
  if (isNullable && isNull(node)) return undefined;
  const described = describeType(type);
  if (described.kind === "any") return anyValue(node, replace);
  if (node.kind === "scalar") return scalarValue(node, described.kind, replace);
  if (node.kind === "list") {
    if (described.kind !== "list") return undefined;
    return node.items.map((item) => valueOf(item, described.items, replace));
  }
  const typeOfEntry = (key: string) =>
    described.kind === "object"
      ? described.shape[key]
      : described.kind === "map"
        ? described.values
        : undefined;
  const isTaken = ({ value }: { value: Node }) =>
    described.kind === "map" && described.removable && isNull(value);
  return Object.fromEntries(
    [...node.entries]
      .filter(([, entry]) => !isTaken(entry))
      .map(([key, { value }]) => [key, valueOf(value, typeOfEntry(key)!, replace)])
      .filter(([, value]) => value !== undefined),
  );
}

function anyValue(node: Node, replace: Replace): unknown {
  if (node.kind === "scalar") return scalarValue(node, "any", replace);
  if (node.kind === "list") return node.items.map((item) => anyValue(item, replace));
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, anyValue(value, replace)]));
}

function scalarValue({ value, at }: ScalarNode, kind: Type["kind"], replace: Replace): unknown {
  if (typeof value !== "string") return value;
  const { parts } = parseText(value);
  const [only] = parts;
  // Without a reference nothing is replaced, and what is in quotes stays a text.
  return parts.length === 1 && typeof only === "string" ? only : replace(parts, kind, at);
}
