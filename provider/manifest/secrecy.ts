/** Decides which literal strings of a manifest are secret. */
import type { z } from "zod";
import { EnvironmentVariable } from "../../schema/kubernetes";
import { typeFor, typeOf } from "./types";

/**
 * The type that the schema expects of a node, or why its literal strings are secret: it is `secrets` itself, the value of
 * a secret, or below an unknown key.
 */
export type NodeContext = z.ZodType | "secrets" | "secret" | "unknown";

export function isSecret(place: NodeContext): boolean {
  return typeof place === "string";
}

/** @param isText whether the value is a string; a string in place of an object counts as unknown */
export function contextBelow(place: NodeContext, key: string | undefined, isText: boolean): NodeContext {
  if (typeof place === "string") return place === "secrets" ? "secret" : place;
  if (key === undefined) return "unknown";
  const type = typeFor(place, { kind: "map" });
  switch (type.kind) {
    case "any":
      return key === "secrets" ? "unknown" : type.schema;
    case "map":
      return isText && isObject(type.values) ? "unknown" : type.values;
    case "list":
      // An object in place of a list is treated as one of its items.
      return isObject(type.items) ? contextBelow(type.items, key, isText) : type.items;
    case "object":
      if (key === "secrets") return "secrets";
      if (type.schema === EnvironmentVariable && key === "value") return "secret";
      return Object.hasOwn(type.shape, key) ? type.shape[key]! : "unknown";
    default:
      return "unknown";
  }
}

/** If a list stands in place of something else, its items are treated as that. */
export function contextOfItems(place: NodeContext): NodeContext {
  if (typeof place === "string") return place;
  const type = typeOf(place);
  return type.kind === "list" ? type.items : place;
}

function isObject(schema: z.ZodType): boolean {
  return typeOf(schema).kind === "object";
}

/** The password in an address, or a token in place of the user. Does not match ports or the user `git`. */
export const password =
  /(?<=[/:]\/[^/:@]*:)(?!\d*(?:[\s/"']|$))(?:[^\s/]*(?=@)|.{1,999}(?=@)|[^/"']+)|(?<=[/:]\/)(?!git@)[^/:@]+(?=@)/g;
