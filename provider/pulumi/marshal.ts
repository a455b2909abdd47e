/** Between the engine's values and plain ones. */
import { runtime } from "@pulumi/pulumi";
import { isObject, mapValues, unknownValue, type Values } from "../deployment/values";
import { contextKey, type HiddenContext } from "./hidden";

/** The engine's stand-in for a value that is not known yet, at any depth, as ours. */
export function fromEngine(values: Values): Values {
  return mapValues(values, replaceUnknown);
}

function replaceUnknown(value: unknown): unknown {
  if (value === runtime.unknownValue) return unknownValue;
  if (Array.isArray(value)) return value.map(replaceUnknown);
  return isObject(value) ? mapValues(value, replaceUnknown) : value;
}

/** Plain JSON: an `undefined` or an object of a class in a result would lose the resource. */
export function toEngine(values: Values): Values {
  const text = JSON.stringify(values, (_, value: unknown) =>
    value === unknownValue ? runtime.unknownValue : value,
  );
  return JSON.parse(text) as Values;
}

/** A result for the engine, with what must never be in clear marked as a secret. */
export function withSecrets(state: Values): Values {
  const values = toEngine(state);
  const { secretPaths = [] } = (values[contextKey] ?? {}) as HiddenContext;
  const isUrlSecret = secretPaths.some(
    (path) => path === "sourceConfig" || path === "sourceConfig.customUrl",
  );
  const secretNames = new Set(["secrets", ...(isUrlSecret ? ["url"] : [])]);
  return mapValues(values, (value, name) =>
    secretNames.has(name) && value !== null ? secret(value) : value,
  );
}

/** What the engine takes as a secret value, from a process that otherwise sees none. */
function secret(value: unknown): Values {
  return { [runtime.specialSigKey]: runtime.specialSecretSig, value };
}
