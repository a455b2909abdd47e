import { isObject, type Values } from "../deployment/values";
import { contextKey, type HiddenContext } from "./hidden";

/** Every text in the arguments that is a secret, by its kind or because the program passed it as one. */
export function secretsIn(values: Values): string[] {
  const { secretPaths = [] } = (values[contextKey] ?? {}) as HiddenContext;
  return [values["secrets"], ...secretPaths.map((path) => valueAt(values, path))].flatMap(textsIn);
}

/** What holds the value as a whole, where the path cannot be followed to its end. */
function valueAt(values: Values, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : at), values);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
