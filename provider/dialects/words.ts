/** Several words for one value: users may write any of them, while inputs, state and requests contain the service's own. */
import { valueAt, withValueAt, type Values } from "../../schema/tree";
import type { Dialect } from "./dialect";

/** The service's word for the value at a path. */
export function serviceWord<T>(value: T, path: string, { words }: Pick<Dialect, "words">): T | string {
  const known = words[path] ?? {};
  return typeof value === "string" && Object.hasOwn(known, value) ? known[value]! : value;
}

/** The word that users write, where the dialect has one for the value. */
export function userWord<T>(value: T, path: string, { words }: Pick<Dialect, "words">): T | string {
  const [word] = Object.entries(words[path] ?? {}).find(([, each]) => each === value) ?? [];
  return word ?? value;
}

/** `serverless (dev_zero)` */
export function bothWords(value: string, path: string, dialect: Pick<Dialect, "words">): string {
  const word = userWord(value, path, dialect);
  return word === value ? value : `${word} (${value})`;
}

/** Arguments with one of these functions applied wherever the dialect has words. */
export function withWords(args: Values, word: typeof serviceWord, dialect: Pick<Dialect, "words">): Values {
  return Object.keys(dialect.words).reduce((all, path) => {
    const at = path.split(".");
    const value = valueAt(all, at);
    return value === undefined ? all : withValueAt(all, at, word(value, path, dialect));
  }, args);
}
