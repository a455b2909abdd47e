/** Decides which literal strings of a manifest are secret. */
import type { z } from "zod";
import { EnvironmentVariable } from "../../schema/kubernetes";
import { chosen, describeType, unwrap } from "./types";

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
  const { type } = unwrap(chosen(place, "map"));
  const described = describeType(type);
  switch (described.kind) {
    case "any":
      return key === "secrets" ? "unknown" : type;
    case "map":
      return isText && isObject(described.values) ? "unknown" : described.values;
    case "list":
      // An object in place of a list is treated as one of its items.
      return isObject(described.items) ? contextBelow(described.items, key, isText) : described.items;
    case "object":
      if (key === "secrets") return "secrets";
      if (type === EnvironmentVariable && key === "value") return "secret";
      return Object.hasOwn(described.shape, key) ? described.shape[key]! : "unknown";
    default:
      return "unknown";
  }
}

/** If a list stands in place of something else, its items are treated as that. */
export function contextOfItems(place: NodeContext): NodeContext {
  if (typeof place === "string") return place;
  const described = describeType(unwrap(place).type);
  return described.kind === "list" ? described.items : place;
}

function isObject(type: z.ZodType): boolean {
  return describeType(unwrap(type).type).kind === "object";
}

/** The password in an address, or a token in place of the user. Does not match ports or the user `git`. */
export const password =
  /(?<=[/:]\/[^/:@]*:)(?!\d*(?:[\s/"']|$))(?:[^\s/]*(?=@)|.{1,999}(?=@)|[^/"']+)|(?<=[/:]\/)(?!git@)[^/:@]+(?=@)/g;
