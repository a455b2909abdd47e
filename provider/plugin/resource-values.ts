/** The values of a resource in a request and in a response, with what the engine says of the resource beside them. */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { inputsIn } from "../deployment/state";
import { contextOf, optionsKey, providerKey, type InternalOptions, type Operation } from "../internal-inputs";
import { isSecretOutput } from "../deployment/secret-outputs";
import type { Values } from "../../schema/tree";
import { marshal, unmarshal } from "./marshal";

/** What is a secret in every state, or was in those of earlier versions, and so is not said of single resources. */
const unsaid = ["secrets", "__private"];

/** @param messages the values are those of the last one; what is secret in any of them is a secret */
export function valuesIn(
  messages: readonly (Struct | undefined)[],
  context: Pick<InternalOptions, "urn" | "provider" | "ignoreChanges">,
  timeout?: { readonly operation: Operation; readonly seconds: number },
): Values {
  const parts = messages.map(unmarshal);
  const secretPaths = parts.flatMap((part) => part.secretPaths);
  const { [providerKey]: _, ...own } = parts.at(-1)?.values ?? {};
  const { hasSiblings } = contextOf(own);
  const internal: InternalOptions = {
    ...context,
    ...(hasSiblings && { hasSiblings }),
    secretPaths: [...new Set(secretPaths)].filter((path) => !unsaid.includes(path.split(".")[0]!)),
    // The engine says 0 where the program says nothing.
    ...(timeout?.seconds && { timeouts: { [timeout.operation]: `${timeout.seconds * 1000}ms` } }),
  };
  return { ...own, [optionsKey]: internal };
}

export function isEmpty(message: Struct | undefined): boolean {
  return message === undefined || message.getFieldsMap().getLength() === 0;
}

/** All of a state. A refresh leaves what an earlier version wrote down as it is: it would show a change that nobody made. */
export function outputsMessage(state: Values): Struct {
  const { secretPaths = [], hasSiblings } = contextOf(state);
  const { [optionsKey]: _, ...outputs } = state;
  const kept = { ...outputs, ...(hasSiblings && { [optionsKey]: { hasSiblings } }) };
  return marshal(kept, (path) => secretPaths.includes(path) || isSecretOutput(path, secretPaths));
}

/** What the program declares, checked. */
export function inputsMessage(values: Values): Struct {
  const { hasSiblings: _, ...internal } = contextOf(values);
  return outputsMessage({ ...inputsIn(values), [optionsKey]: internal });
}
