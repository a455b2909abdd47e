/** Between the engine's values and plain ones. */
import { sealed, unknownText } from "../signatures";
import { mapLeaves, mapValues, unknownValue, type Values } from "../../schema/tree";
import { contextOf } from "../internal-inputs";
import { isSecretOutput } from "../deployment/secret-outputs";

/** The engine's stand-in for a value that is not known yet, at any depth, as ours. */
export function fromEngine(values: Values): Values {
  return mapLeaves(values, (leaf) => (leaf === unknownText ? unknownValue : leaf)) as Values;
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
