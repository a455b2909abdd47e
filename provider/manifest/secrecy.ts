/** Decides which literal strings of a manifest are secret. */
import type { z } from "zod";
import { EnvironmentVariable } from "../../schema/kubernetes";
import { ManifestDeployment } from "../../schema/manifest";
import { pathOfPlace, placeFor } from "../../schema/neighbours";
import { nearest } from "../../schema/wording";
import { typeFor, typeOfSchema, type Shape } from "./types";

/**
 * The type that the schema expects of a value, or why its literals are secret:
 * - `secrets`, `secret`: it is `secrets` itself, or the value of a secret;
 * - `hidden`: below a misspelt `secrets` or an anchor, so values are masked and keys shown;
 * - `variable`: it is the value of a container's variable;
 * - `unknown`: it is below an unknown key.
 */
export type Context = z.ZodType | "secrets" | "secret" | "hidden" | "variable" | "unknown";

/** Numbers and booleans are only secret in `secrets`. */
export function isSecret(context: Context, value: unknown = ""): boolean {
  if (typeof context !== "string") return false;
  const isOnlyText = context === "variable" || context === "unknown";
  return !isOnlyText || (typeof value !== "number" && typeof value !== "boolean");
}

/** @param isText whether the value is a string; a string in place of an object counts as unknown */
export function contextBelow(context: Context, key: string | undefined, isText: boolean): Context {
  if (context === "secrets") return "secret";
  if (context === "unknown") return isLikeSecrets(key) ? "hidden" : context;
  if (typeof context === "string") return context;
  if (key === undefined) return "unknown";
  const type = typeFor(context, true);
  switch (type.kind) {
    case "any":
      return key === "secrets" ? "hidden" : type.schema;
    case "map":
      return isText && isObject(type.values) ? "unknown" : type.values;
    case "list":
      // An object in place of a list is treated as one of its items.
      return isObject(type.items) ? contextBelow(type.items, key, isText) : type.items;
    case "object":
      return contextOfKey(type.schema, type.shape, key);
    default:
      return "unknown";
  }
}

/** The context of a key in an object. A misspelt key is treated as the one that it resembles, and the word of another tool as the one that it means. */
function contextOfKey(schema: z.ZodType, shape: Shape, key: string): Context {
  const names = Object.keys(shape);
  const place = Object.hasOwn(shape, key) ? undefined : placeFor(key, names);
  const name = Object.hasOwn(shape, key) ? key : (place ?? nearest(key, [...names, "secrets"]));
  if (name === "secrets") return "secrets";
  if (place !== undefined) return schemaAt(pathOfPlace(place)) ?? "unknown";
  if (schema === EnvironmentVariable && name === "value") return "variable";
  return name === undefined ? "unknown" : shape[name]!;
}

/** The schema of a deployment's field; undefined elsewhere. */
function schemaAt(path: readonly string[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((around, name) => {
    const type = around && typeOfSchema(around);
    return type?.kind === "object" ? type.shape[name] : undefined;
  }, ManifestDeployment);
}

function isLikeSecrets(key: string | undefined): boolean {
  return key !== undefined && nearest(key, ["secrets"]) !== undefined;
}

/** If a list stands in place of something else, its items are treated as that. */
export function contextOfItems(context: Context): Context {
  if (typeof context === "string") return context;
  const type = typeOfSchema(context);
  return type.kind === "list" ? type.items : context;
}

function isObject(schema: z.ZodType): boolean {
  return typeOfSchema(schema).kind === "object";
}

/** The password in an address, or a token in place of the user. Does not match ports or the user `git`. */
export const password =
  /(?<=[/:]\/[^/:@]*:)(?!\d*(?:[\s/"']|$))(?:[^\s/]*(?=@)|.{1,999}(?=@)|[^/"']+)|(?<=[/:]\/)(?!git@)[^/:@]+(?=@)/g;
