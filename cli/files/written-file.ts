/** Writes files that the user named. Every path is checked before the first write. */
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sanitize } from "../../provider/text/sanitize";
import { attempt, refusal, systemReason } from "../usage-error";
import type { Io } from "../command";

/** A file that can be written: its name as the user wrote it, and its absolute path. */
export type TargetFile = ReturnType<typeof targetAt>;

/** Throws a `UsageError` if the file cannot be written. */
export function targetAt(file: string, { cwd }: Pick<Io, "cwd">) {
  if (file === "-") throw refusal(file, "it is not a file name; omit the flag to write to standard output");
  const path = resolve(cwd, file);
  const folder = attempt(file, "write", () => statSync(dirname(path), { throwIfNoEntry: false }));
  if (!folder?.isDirectory()) throw refusal(file, "its folder does not exist");
  const found = attempt(file, "write", () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw refusal(file, "it is a folder");
  // Writing would wait for a reader. A shell's own pipes, which have one, are below these folders.
  if (found?.isFIFO() && !/^\/(?:dev|proc)\//.test(path)) throw refusal(file, "it is a named pipe");
  attempt(file, "write", () => accessSync(found === undefined ? dirname(path) : path, constants.W_OK));
  return { file, path };
}

/** The content of the file; undefined if it does not exist, or is not a regular file. */
export function textIn({ file, path }: TargetFile): string | undefined {
  const isRegular = existsSync(path) && statSync(path).isFile();
  return isRegular ? attempt(file, "read", () => readFileSync(path, "utf8")) : undefined;
}

/** Writes the files. If one of them fails, as on a full disk, no new file is left, neither whole nor cut. */
export function write(...texts: readonly (readonly [file: TargetFile, text: string])[]): void {
  const created = texts.map(([{ path }]) => path).filter((path) => !existsSync(path));
  for (const [{ file, path }, text] of texts) {
    try {
      writeFileSync(path, text);
    } catch (error) {
      for (const each of created) rmSync(each, { force: true });
      // The path was checked, so that this is no mistake of the command line.
      throw new Error(`cannot write ${sanitize(file)}: ${systemReason(error)}`, { cause: error });
    }
  }
}
