/** Writes files that the user named. Every path is checked before the first write. */
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sanitize } from "../../provider/text/sanitize";
import { attempt, refusal, systemReason } from "../usage-error";
import type { Io } from "../command";

/** A file whose path was checked for writing. */
export interface TargetFile {
  /** As the user named it. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
}

/** Throws a `UsageError` if the file cannot be written. */
export function targetAt(file: string, { cwd }: Pick<Io, "cwd">): TargetFile {
  if (file === "-") throw refusal(file, "it is not a file name; omit the flag to write to standard output");
  const path = resolve(cwd, file);
  const folder = attempt(file, "write", () => statSync(dirname(path), { throwIfNoEntry: false }));
  if (!folder?.isDirectory()) throw refusal(file, "its folder does not exist");
  const found = attempt(file, "write", () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw refusal(file, "it is a folder");
  attempt(file, "write", () => accessSync(found === undefined ? dirname(path) : path, constants.W_OK));
  return { file, path };
}

/** The content of the file; undefined if it does not exist, or is not a regular file. */
export function textIn({ file, path }: TargetFile): string | undefined {
  const isRegular = existsSync(path) && statSync(path).isFile();
  return isRegular ? attempt(file, "read", () => readFileSync(path, "utf8")) : undefined;
}

/** The path was checked, so that a failure is no mistake of the command line. */
export function write({ file, path }: TargetFile, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Error(`cannot write ${sanitize(file)}: ${systemReason(error)}`, { cause: error });
  }
}
