/** The names in a file of environment variables. Never its values, which may be credentials. */
import { existsSync } from "node:fs";
import { readBytes, textOf } from "./open-file";

const quoted = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/.source;
const plain = /(?:(?<![ \t])#|[^\s'"#])[^\r\n]*/.source;
/** Also before a comment. */
const nothing = /$|(?<=[ \t])(?=#)/.source;

/**
 * An assignment, as the service's own command line reads it (python-dotenv), with all lines of a quoted value, so that no line of a
 * value is taken for a name.
 */
export const assignment = new RegExp(
  `^[ \\t]*(?:export[ \\t]+)?([A-Za-z_]\\w*)[ \\t]*=[ \\t]*(${quoted}|${plain}|${nothing})`,
  "gm",
);

export interface EnvironmentNames {
  /** Those with a value, sorted. */
  readonly names: readonly string[];
  /** Those without. */
  readonly empty: readonly string[];
}

/** Names with a value. None if there is no such file, as in a workflow. */
export async function namesIn(file: string): Promise<readonly string[]> {
  return existsSync(file) ? namesInText(textOf(await readBytes(file), file)).names : [];
}

export function namesInText(text: string): EnvironmentNames {
  // The last assignment of a name counts.
  const isEmpty = new Map(
    [...text.replace(/\r\n?/g, "\n").matchAll(assignment)].map(([, name, value]) => [
      name!,
      isNothing(value!),
    ]),
  );
  const names = [...isEmpty.keys()].sort();
  return {
    names: names.filter((name) => !isEmpty.get(name)),
    empty: names.filter((name) => isEmpty.get(name)),
  };
}

function isNothing(written: string): boolean {
  return ["", '""', "''"].includes(written);
}
