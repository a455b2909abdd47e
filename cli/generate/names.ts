/** Names of variables in a generated program. */
import { uniqueNames } from "../unique-names";

const reserved = (
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
  "false finally for function if implements import in instanceof interface let new null package private protected " +
  "public return static super switch this throw true try typeof undefined var void while with yield " +
  "async of type process module require exports undefined globalThis"
).split(" ");

/** Hands out unique variable names: `chatApi` for `chat-api`; with the suffix, then a number, if that is taken. */
export function variableNames(taken: readonly string[]): (text: string, suffix: string) => string {
  const take = uniqueNames([...reserved, ...taken], "");
  return (text, suffix) => take(camelCase(text), camelCase(text) + suffix);
}

function camelCase(text: string): string {
  const [first = "", ...rest] = text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== "");
  const begin = /^\d/.test(first) ? `_${first}` : first.charAt(0).toLowerCase() + first.slice(1);
  return [begin, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}
