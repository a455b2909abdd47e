/** Names that a program gives to what it imports: valid, unique, and as near to the service's as can be. */
import { deploymentKey } from "../../schema/manifest";

/** Gives out names, each once: a name that is taken gets a number. */
export class Names {
  readonly #taken: Set<string>;
  /** Where to go on counting, by the name that was wanted. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  take(wanted: string): string {
    let name = wanted;
    let number = this.#next.get(wanted) ?? 2;
    while (this.#taken.has(name)) name = `${wanted}-${number++}`;
    this.#next.set(wanted, number);
    this.#taken.add(name);
    return name;
  }
}

/** Keys of a manifest for names of the service, in their order; a name that is a valid key keeps it where it is free. */
export function keysFor(names: readonly string[], taken: Iterable<string> = []): string[] {
  const given = new Names(taken);
  const keys = new Map<number, string>();
  const indexes = names.map((_, index) => index);
  const isValid = (index: number) => deploymentKey.test(names[index]!);
  for (const index of indexes.filter(isValid)) keys.set(index, given.take(names[index]!));
  for (const index of indexes.filter((index) => !isValid(index))) {
    keys.set(index, given.take(keyNear(names[index]!)));
  }
  return indexes.map((index) => keys.get(index)!);
}

function keyNear(name: string): string {
  const plain = withoutEdges(name.replace(/[^A-Za-z0-9_.-]+/g, "-"));
  return deploymentKey.test(plain) ? plain : `deployment${plain === "" ? "" : `-${plain}`}`;
}

/** The pattern begins at the beginning and goes back from the end, so that a long name takes no longer than it must. */
function withoutEdges(name: string): string {
  return /^[-_.]*(.*[^-_.])?/.exec(name)?.[1] ?? "";
}

/** `chat-eu` and `MODEL_API_KEY` as `chatEuModelApiKey`, a key of the stack's configuration. */
export function configKeyNear(key: string, secret: string): string {
  const words = `${key} ${secret}`.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word, index) => (index === 0 ? lowerFirst(word) : capitalise(word))).join("");
}

function lowerFirst(word: string): string {
  return /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word[0]!.toLowerCase() + word.slice(1);
}

/** A word that is not all in capitals keeps its own. */
function capitalise(word: string): string {
  return word[0]!.toUpperCase() + (/^[A-Z0-9]+$/.test(word) ? word.slice(1).toLowerCase() : word.slice(1));
}
