/** Between the engine's values and plain ones. */
import * as pulumi from "@pulumi/pulumi";
import { sealed, unknownText } from "../signatures";
import { isObject, mapValues, unknownValue, type Values } from "../values";
import { contextOf } from "../internal-inputs";
import { isSecretOutput } from "../deployment/secret-outputs";

/** The engine's stand-in for a value that is not known yet, at any depth, as ours. */
export function fromEngine(values: Values): Values {
  return mapValues(values, replaceUnknown);
}

function replaceUnknown(value: unknown): unknown {
  if (value === unknownText) return unknownValue;
  if (Array.isArray(value)) return value.map(replaceUnknown);
  return isObject(value) ? mapValues(value, replaceUnknown) : value;
}

/** Plain JSON: an `undefined` or an object of a class in a result would lose the resource. */
export function toEngine(values: Values): Values {
  const text = JSON.stringify(values, (_, value: unknown) => (value === unknownValue ? unknownText : value));
  return JSON.parse(text) as Values;
}

/**
 * A result for the engine, with what must never be in clear marked as a secret. The engine itself marks what stands
 * under the name of a secret argument; copies of arguments that stand elsewhere are as secret as the arguments.
 */
export function withSecrets(state: Values): Values {
  const values = toEngine(state);
  const { secretPaths = [] } = contextOf(values);
  return mapValues(values, (value, name) =>
    isSecretOutput(name, secretPaths) && value !== null ? sealed(value) : value,
  );
}

/**
 * Where the program passed secrets. The process that talks to the service gets plain values and could not tell which
 * of them must stay out of its messages. A list is named as a whole, and so is a map, where a key holds the dot that parts
 * the names.
 *
 * @param outputs names of properties that the program wants to be secret however they were passed
 */
export async function secretPaths(args: pulumi.Inputs, outputs: readonly string[] = []): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(args ?? {})
      .filter(([name]) => name !== "secrets")
      .map(([name, value]) => pathsIn(value, name)),
  );
  // In which order a program names its arguments is no change.
  return [...new Set([...found.flat(), ...outputs.filter((name) => name !== "secrets")])].sort();
}

async function pathsIn(value: unknown, path: string): Promise<string[]> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise || Array.isArray(value)) {
    return (await pulumi.isSecret(pulumi.output(value))) ? [path] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const found = await Promise.all(
    Object.entries(value).map(([key, inner]) => pathsIn(inner, key.includes(".") ? path : `${path}.${key}`)),
  );
  return found.flat();
}
