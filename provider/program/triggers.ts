/** Refuses triggers that the SDK would pass on as `{}` or not at all, so that their changes would make no revision. */
import * as pulumi from "@pulumi/pulumi";
import { mapValues, type Values } from "../../schema/tree";
import { InputError } from "./input-error";

/** The triggers as they are; what comes later is judged when it is known. */
export function onlyJson(name: string, value: unknown): unknown {
  const inner = (each: unknown) => onlyJson(name, each);
  if (pulumi.Output.isInstance(value)) return value.apply(inner);
  if (value instanceof Promise) return value.then(inner);
  if (Array.isArray(value)) return value.map(inner);
  if (value === null || isOfSdk(value)) return value;
  if (typeof value === "object" && isPlain(value)) return mapValues(value as Values, inner);
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
