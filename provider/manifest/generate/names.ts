/** Names of variables in a generated program. */

const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield " +
    "async of type process module require exports undefined globalThis"
  ).split(" "),
);

/** Hands out unique variable names. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set([...reserved, ...taken]);
  }

  /** Converts `chat-api` to `chatApi`. Adds the suffix, then a number, if the name is taken. */
  take(text: string, suffix: string): string {
    const name = camelCase(text);
    const plain = this.#taken.has(name) ? `${name}${suffix}` : name;
    let free = plain;
    for (let number = 2; this.#taken.has(free); number++) free = `${plain}${number}`;
    this.#taken.add(free);
    return free;
  }
}

function camelCase(text: string): string {
  const [first = "", ...rest] = text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== "");
  const begin = /^\d/.test(first) ? `_${first}` : first.charAt(0).toLowerCase() + first.slice(1);
  return [begin, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}
