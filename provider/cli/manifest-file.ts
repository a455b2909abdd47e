/** Reads and checks the manifest that a command line names, for every command that takes one. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkManifest, type Checked } from "../manifest/check";
import type { Bindings } from "../manifest/reference";
import { Source } from "../manifest/source";
import { UsageError, type Io } from "./command";

export interface CheckedFile extends Checked {
  readonly source: Source;
}

/**
 * @param file a path, or `-` for standard input
 * @param known the stack, if one is selected, and the environment, if it is to be checked
 */
export async function checkFile(file: string, known: Bindings, io: Io): Promise<CheckedFile> {
  const bytes = await readInput(file, io);
  const source = new Source(file === "-" ? "<stdin>" : file, bytes);
  return { source, ...checkManifest(source, known) };
}

/** @param file a path, or `-` for standard input */
export async function readInput(file: string, io: Io): Promise<Uint8Array> {
  return file === "-" ? await io.stdin() : readBytes(resolve(io.cwd, file), file);
}

/** Why the system does not read, by its code. */
export const unreadable: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
};

function readBytes(path: string, file: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read ${file}: ${unreadable[code] ?? code}`);
  }
}
