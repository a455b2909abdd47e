/** Converts between a resource and the values in requests and responses. */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isEqual, type Values } from "../../schema/tree";
import { isSecretOutput } from "../deployment/state";
import {
  type Operation,
  optionsKey,
  providerKey,
  type Resource,
  type ResourceOptions,
} from "../internal-inputs";
import { marshal, unmarshal } from "./marshal";

/** @param messages the last one provides the values; a value that is secret in any of them is secret */
export function resourceIn(
  messages: readonly (Struct | undefined)[],
  context: Pick<ResourceOptions, "urn" | "provider" | "ignoreChanges">,
  timeout?: { readonly operation: Operation; readonly seconds: number },
): Resource {
  const parts = messages.map(unmarshal);
  const secretPaths = parts.flatMap((part) => part.secretPaths);
  const { [providerKey]: _, [optionsKey]: __, ...values } = parts.at(-1)?.values ?? {};
  return {
    values,
    options: {
      ...context,
      secretPaths: secretPaths.filter(([name]) => name !== "secrets"),
      // The engine passes 0 if the program sets no timeout.
      ...(timeout?.seconds && { timeouts: { [timeout.operation]: `${timeout.seconds * 1000}ms` } }),
    },
  };
}

export function isEmpty(message: Struct | undefined): boolean {
  return message === undefined || message.getFieldsMap().getLength() === 0;
}

/** @param values a written state, checked inputs, or the outputs that a preview knows */
export function valuesMessage(values: Values, { secretPaths = [] }: ResourceOptions): Struct {
  return marshal(values, (path) => {
    const isNamed = secretPaths.some((secret) => isEqual(secret, path));
    return isNamed || (path.length === 1 && isSecretOutput(String(path[0]), secretPaths));
  });
}
