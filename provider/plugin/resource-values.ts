/** The values of a resource in a request and in a response, with what the engine says of the resource beside them. */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isEqual, type Values } from "../../schema/tree";
import { isSecretOutput } from "../deployment/secret-outputs";
import {
  type Operation,
  optionsIn,
  optionsKey,
  providerKey,
  type Resource,
  type ResourceOptions,
  writeOptions,
} from "../internal-inputs";
import { marshal, unmarshal } from "./marshal";

/** Secret in every state, or in those of earlier versions, and so not named for single resources. */
const alwaysSecret: readonly unknown[] = ["secrets", "__private"];

/** @param messages the values are those of the last one; what is secret in any of them is a secret */
export function resourceIn(
  messages: readonly (Struct | undefined)[],
  context: Pick<ResourceOptions, "urn" | "provider" | "ignoreChanges">,
  timeout?: { readonly operation: Operation; readonly seconds: number },
): Resource {
  const parts = messages.map(unmarshal);
  const secretPaths = parts.flatMap((part) => part.secretPaths);
  const { [providerKey]: _, [optionsKey]: internal, ...values } = parts.at(-1)?.values ?? {};
  const { hasSiblings } = optionsIn({ [optionsKey]: internal });
  return {
    values,
    options: {
      ...context,
      ...(hasSiblings && { hasSiblings }),
      secretPaths: secretPaths.filter(([name]) => !alwaysSecret.includes(name)),
      // The engine passes 0 if the program says nothing.
      ...(timeout?.seconds && { timeouts: { [timeout.operation]: `${timeout.seconds * 1000}ms` } }),
    },
  };
}

export function isEmpty(message: Struct | undefined): boolean {
  return message === undefined || message.getFieldsMap().getLength() === 0;
}

/**
 * All of a state. What an earlier version wrote stays in it: leaving it out would show a change that nobody made.
 *
 * @param outputs a written state, or what a preview knows of one
 */
export function outputsMessage(outputs: Values, { secretPaths = [], hasSiblings }: ResourceOptions): Struct {
  const kept = { ...outputs, ...(hasSiblings && writeOptions({ hasSiblings })) };
  return marshal(kept, (path) => {
    const isNamed = secretPaths.some((secret) => isEqual(secret, path));
    return isNamed || (path.length === 1 && isSecretOutput(String(path[0]), secretPaths));
  });
}

/**
 * What the program declares, checked.
 *
 * @param inputs as they are written
 */
export function inputsMessage(inputs: Values, { secretPaths }: ResourceOptions): Struct {
  return outputsMessage(inputs, { secretPaths });
}
