/** The engine's marks of secrets. A process that does not accept them gets plain values, and the engine marks the results again. */
import { opened, secret } from "./provider-process/resource";
import type { Values } from "./provider-process/grpc";

const signature = "4dabf18193072939515e22adb298388d";

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isMarked = (value: unknown): boolean => isObject(value) && signature in value;

/** What has the name of a secret is one; of objects on both sides, member by member, and then the mark of the object is lost. */
export function annotated(results: Values, given: Values): Values {
  const entries = Object.entries(results).map(([key, value]): [string, unknown] => {
    const from = given[key];
    const members = isMarked(value) ? (value as Values)["value"] : value;
    if (isObject(members) && isObject(from) && !isMarked(from)) return [key, annotated(members, from)];
    return [key, !isMarked(value) && containsMark(from) ? secret(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The resource option `additionalSecretOutputs`. */
export function withSecretOutputs(outputs: Values, names: readonly string[]): Values {
  const entries = Object.entries(outputs).map(([key, value]): [string, unknown] => {
    return [key, names.includes(key) && !isMarked(value) ? secret(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The same, with one mark for all members of `secrets` together. */
export function withOneMark(values: Values): Values {
  const { secrets } = values;
  const isSecret = isMarked(secrets) || (isObject(secrets) && Object.values(secrets).every(isMarked));
  return isSecret ? { ...values, secrets: secret(opened({ secrets })["secrets"]) } : values;
}

function containsMark(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsMark);
  return isObject(value) && (isMarked(value) || Object.values(value).some(containsMark));
}

/** Values without the parts that are marked as secrets. */
export function inClear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inClear);
  if (!isObject(value)) return value;
  if (isMarked(value)) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inClear(inner)]));
}
