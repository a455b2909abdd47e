/** The environment file of an agent: its names become secrets, its values stay there. */
import { readFileSync } from "node:fs";
import { namesInText, type EnvironmentNames } from "../archive/environment-file";
import { sanitize } from "../text/sanitize";
import { UsageError } from "./command";
import { attempt } from "./files";

/** @param shown how messages call the file */
export function namesInEnvironment(file: string, shown: string): EnvironmentNames {
  const bytes = attempt(shown, "read", () => readFileSync(file));
  const text = decoded(bytes);
  // The mark that some editors put first would be a part of the first name.
  if (text === undefined || text.startsWith("\ufeff"))
    throw new UsageError(`${sanitize(shown)} is not plain UTF-8: save it as UTF-8 without a byte order mark`);
  return namesInText(text);
}

/** Undefined if it is another encoding, such as UTF-16. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The keys of the stack's configuration: `MODEL_API_KEY` to `modelApiKey`, unless another name has that key. */
export function configKeysOf(names: readonly string[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const name of names) {
    const words = name.replace(/\W+/g, "_");
    let key = words.toLowerCase().replace(/(?<=.)_+(.)/g, (_, letter: string) => letter.toUpperCase());
    if ([...keys.values()].includes(key)) key = words;
    while ([...keys.values()].includes(key)) key += "_";
    keys.set(name, key);
  }
  return keys;
}
