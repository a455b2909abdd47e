/** Converts between the engine's values and plain ones. */
import { isObject, mapLeaves, mapValues, unknownValue, type Values } from "../../schema/tree";
import { isSecretOutput } from "../../schema/outputs";
import type { Planned, State } from "../deployment/state";
import { writeInputs, writeState } from "../stored/stored";
import type { ResourceOptions } from "../deployment/context";
import { optionsIn, providerKey, type Resource, writeOptions } from "../stored/internal-inputs";
import { withMarkedCredentials } from "../text/credential";
import { sealed, unknownText } from "../text/signatures";

/** Parses a resource that the engine passes. Replaces the engine's placeholder for unknown values at any depth. */
export function fromEngine(values: Values): Resource {
  const { [providerKey]: _, ...own } = values;
  const known = mapLeaves(own, (leaf) => (leaf === unknownText ? unknownValue : leaf)) as Values;
  return { values: known, options: optionsIn(values) };
}

/** Converts to plain JSON: an `undefined` or a class instance in a result would make the engine lose the resource. */
export function toEngine(values: Values): Values {
  const text = JSON.stringify(values, (_, value: unknown) => (value === unknownValue ? unknownText : value));
  return JSON.parse(text) as Values;
}

/** The outputs that the engine stores. */
export function outputsOf(state: State, options: ResourceOptions): Values {
  return withSecrets({ ...writeState(state), ...writeOptions(options) }, options);
}

/** The inputs that the engine stores, and compares the program with next time. */
export function inputsOf(state: Planned | State, options: ResourceOptions): Values {
  return withSecrets({ ...writeInputs(state), ...writeOptions(options) }, options);
}

/** Marks outputs that repeat a secret argument: the engine marks only what the program passed as a secret. */
function withSecrets(values: Values, { secretPaths }: ResourceOptions): Values {
  return mapValues(withMarkedCredentials(toEngine(values), sealed), (value, name) =>
    isSecretOutput(name, secretPaths) ? withSealedMembers(value) : value,
  );
}

/**
 * Marks the members of an object too: the engine (3.274) loses the mark of an object that the program did not pass as a secret. With
 * that of the object, what a policy makes of it stays secret.
 */
function withSealedMembers(value: unknown): unknown {
  if (value === null) return null;
  return sealed(isObject(value) ? mapValues(value, withSealedMembers) : value);
}
