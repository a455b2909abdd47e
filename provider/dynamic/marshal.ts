/** Between the engine's values and plain ones. */
import { mapLeaves, mapValues, unknownValue, type Values } from "../../schema/tree";
import { isSecretOutput } from "../deployment/secret-outputs";
import type { State } from "../deployment/state";
import { writeInputs, writeState } from "../deployment/stored";
import {
  currentOptions,
  optionsIn,
  optionsKey,
  providerKey,
  type Resource,
  type ResourceOptions,
  writeOptions,
} from "../internal-inputs";
import { sealed, unknownText } from "../signatures";

/** A resource as the engine passes it. The engine's placeholder for unknown values is replaced at any depth. */
export function fromEngine(values: Values): Resource {
  const { [providerKey]: _, [optionsKey]: __, ...own } = values;
  const known = mapLeaves(own, (leaf) => (leaf === unknownText ? unknownValue : leaf)) as Values;
  return { values: known, options: optionsIn(values) };
}

/** Plain JSON: an `undefined` or an instance of a class in a result would lose the resource. */
export function toEngine(values: Values): Values {
  const text = JSON.stringify(values, (_, value: unknown) => (value === unknownValue ? unknownText : value));
  return JSON.parse(text) as Values;
}

/** What the engine is to keep of a deployment. */
export function outputsOf(state: State, options: ResourceOptions): Values {
  return withSecrets({ ...writeState(state), ...writeOptions(options) }, options);
}

/** The inputs that the program is compared with from now on. */
export function inputsOf(state: State, options: ResourceOptions): Values {
  return withSecrets({ ...writeInputs(state), ...writeOptions(currentOptions(options)) }, options);
}

/**
 * Marks whatever must never be in clear as a secret. The engine only marks the arguments that the program passed as secrets, and
 * copies of them are as secret.
 */
function withSecrets(values: Values, { secretPaths }: ResourceOptions): Values {
  return mapValues(toEngine(values), (value, name) =>
    isSecretOutput(name, secretPaths) && value !== null ? sealed(value) : value,
  );
}
