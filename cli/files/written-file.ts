/** Writes files that the user named. Every path is checked before the first write. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { sanitize } from "../../provider/text/sanitize";
import { attempt, refusal, systemReason } from "../usage-error";
import type { Io } from "../command";
import { pipeAt } from "./pipes";

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
  if (pipeAt(path) === "named") throw refusal(file, "it is a named pipe");
  attempt(file, "write", () => accessSync(found === undefined ? dirname(path) : path, constants.W_OK));
  return { file, path };
}

/** The content of the file; undefined if it does not exist, or is not a regular file. */
export function textIn({ file, path }: TargetFile): string | undefined {
  const isRegular = existsSync(path) && statSync(path).isFile();
  return isRegular ? attempt(file, "read", () => readFileSync(path, "utf8")) : undefined;
}

/** Writes drafts next to the files, then renames them: a full disk or a kill cuts no file, and writes all of them or none. */
export function write(...texts: readonly (readonly [file: TargetFile, text: string])[]): void {
  const drafts: { readonly draft: string; readonly place: string }[] = [];
  try {
    for (const [{ file, path }, text] of texts)
      written(file, () => {
        const found = statSync(path, { throwIfNoEntry: false });
        // A device or a pipe has no content to lose.
        if (found?.isFile() === false) return writeFileSync(path, text);
        // A link keeps leading to the file.
        const place = found === undefined ? path : realpathSync(path);
        const draft = `${place}.${process.pid}.draft`;
        drafts.push({ draft, place });
        writeFileSync(draft, text, { flush: true });
        if (found !== undefined) chmodSync(draft, found.mode);
      });
    for (const { draft, place } of drafts) written(place, () => renameSync(draft, place));
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw error;
  }
}

/** The path was checked, so that this is no mistake of the command line. */
function written(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new Error(`cannot write ${sanitize(file)}: ${systemReason(error)}`, { cause: error });
  }
}
