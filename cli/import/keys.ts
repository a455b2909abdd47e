/** Makes valid, unique names for imported deployments, as close to the service's names as possible. */
import { deploymentKey } from "../../schema/manifest";
import { uniqueNames } from "../unique-names";

/** Manifest keys for names of the service, in the same order. A valid name that is free stays as it is. */
export function keysFor(names: readonly string[]): string[] {
  const take = uniqueNames();
  const valid = names.map((name) => (deploymentKey.test(name) ? take(name) : undefined));
  return names.map((name, index) => valid[index] ?? take(keyNear(name)));
}

function keyNear(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-_.]+|(?<![-_.])[-_.]+$/g, "");
  return deploymentKey.test(plain) ? plain : `deployment${plain === "" ? "" : `-${plain}`}`;
}

/** `chat-eu` and `MODEL_API_KEY` as `chatEuModelApiKey`, a key of the stack's configuration. */
export function configKeyNear(...names: readonly string[]): string {
  const words = names.flatMap((name) => name.split(/[^A-Za-z0-9]+/)).filter((word) => word !== "");
  return words
    .map((word, index) => {
      // A word in mixed case keeps its capitals.
      const [first = "", ...rest] = /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word;
      return (index === 0 ? first.toLowerCase() : first.toUpperCase()) + rest.join("");
    })
    .join("");
}
