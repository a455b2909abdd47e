/** Refuses triggers that the SDK would pass on as `{}` or not at all, so that their changes would make no revision. */
import * as pulumi from "@pulumi/pulumi";
import { mapValues, type Values } from "../../schema/tree";
import { nameOf } from "./followed-outputs";
import { InputError } from "./input-error";

/**
 * The triggers as they are; what comes later is judged when it is known. `pulumi.output(new Date())` holds `{}`: only an output of a
 * resource may.
 */
export function onlyJson(name: string, value: unknown, mayBeEmpty = true): unknown {
  const inner = (each: unknown) => onlyJson(name, each, mayBeEmpty);
  if (pulumi.Output.isInstance(value)) {
    const isOfResource = nameOf(value) !== undefined;
    return value.apply((each) => onlyJson(name, each, isOfResource));
  }
  if (value instanceof Promise) return value.then(inner);
  if (Array.isArray(value)) return value.map(inner);
  if (value === null || isOfSdk(value)) return value;
  if (typeof value === "object" && isPlain(value) && (mayBeEmpty || Object.keys(value).length > 0))
    return mapValues(value as Values, inner);
  if (/^(undefined|boolean|number|string)$/.test(typeof value)) return value;
  throw new InputError(`${name}: triggers must be JSON values: convert this one to a string`);
}

function isOfSdk(value: unknown): boolean {
  return [pulumi.asset.Asset, pulumi.asset.Archive, pulumi.Resource].some((each) => each.isInstance(value));
}

/** Also an object of another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
