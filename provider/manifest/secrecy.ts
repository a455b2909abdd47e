/** Which literal texts of a manifest are secret. */
import type { z } from "zod";
import { EnvironmentVariable } from "../../schema/kubernetes";
import { chosen, describeType, unwrap } from "./types";

/**
 * What the schema expects at a place of the file, or why literal texts there are secret: the place is `secrets`, a
 * secret's value, or below a key that nobody knows.
 */
export type NodeContext = z.ZodType | "secrets" | "secret" | "unknown";

export function isSecret(place: NodeContext): boolean {
  return typeof place === "string";
}

/** @param isText whether a text stands below the key; a name with a text where an object belongs is unknown */
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
      // An object in place of a list is taken for one of its items.
      return isObject(described.items) ? contextBelow(described.items, key, isText) : described.items;
    case "object":
      if (key === "secrets") return "secrets";
      if (type === EnvironmentVariable && key === "value") return "secret";
      return Object.hasOwn(described.shape, key) ? described.shape[key]! : "unknown";
    default:
      return "unknown";
  }
}

/** Where a list stands in place of something else, its items are taken for that. */
export function contextOfItems(place: NodeContext): NodeContext {
  if (typeof place === "string") return place;
  const described = describeType(unwrap(place).type);
  return described.kind === "list" ? described.items : place;
}

function isObject(type: z.ZodType): boolean {
  return describeType(unwrap(type).type).kind === "object";
}

/** The password in an address, or the token that stands in place of the user. Ports and the user `git` are shown. */
export const password =
  /(?<=[/:]\/[^/:@]*:)(?!\d*(?:[\s/"']|$))(?:[^\s/]*(?=@)|.{1,999}(?=@)|[^/"']+)|(?<=[/:]\/)(?!git@)[^/:@]+(?=@)/g;
