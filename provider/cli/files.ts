/** The one place that writes files. It finds what is wrong before it writes, and replaces a file in one step. */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../errors";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";

/** A file that may be written: its path was checked. */
export interface TargetFile {
  /** As the user named it. */
  readonly file: string;
  /** Where a symbolic link leads to. */
  readonly path: string;
  /** Of what is there already: a file, or a device or a pipe, which is written into. */
  readonly found: Stats | undefined;
}

/** Checks that the file can be written. */
export function targetAt(file: string, { cwd }: Pick<Io, "cwd">): TargetFile {
  if (file === "-") throw refusal(file, "it names no file; without the flag, standard output is used");
  const named = resolve(cwd, file);
  const folder = attempt(file, () => statSync(dirname(named), { throwIfNoEntry: false }));
  if (!folder?.isDirectory()) throw refusal(file, "its folder is not there");
  const found = attempt(file, () => statSync(named, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw refusal(file, "it is a folder");
  if (found !== undefined && !found.isFile()) return { file, path: named, found };
  return attempt(file, () => {
    const path = found === undefined ? named : realpathSync(named);
    if (found !== undefined) accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return { file, path, found };
  });
}

/** What a file holds; undefined where there is none, or nothing to read back. */
export function textIn({ file, path, found }: TargetFile): string | undefined {
  return found?.isFile() ? attempt(file, () => readFileSync(path, "utf8"), "read") : undefined;
}

/** Writes all of them, or none: whatever does not fit is known before the first is put in its place. */
export function writeFiles(files: readonly (readonly [target: TargetFile, text: string])[]): void {
  const suffix = `.${randomBytes(8).toString("hex")}.tmp`;
  const isReplaced = ({ found }: TargetFile) => found === undefined || found.isFile();
  const replaced = files.map(([target]) => target).filter(isReplaced);
  try {
    for (const [target, text] of files) {
      const draft = isReplaced(target) ? target.path + suffix : target.path;
      attempt(target.file, () => writeFileSync(draft, text, { flush: isReplaced(target) }));
    }
    for (const { file, path, found } of replaced) {
      attempt(file, () => {
        if (found !== undefined) chmodSync(path + suffix, found.mode);
        renameSync(path + suffix, path);
      });
    }
  } finally {
    for (const { path } of replaced) rmSync(path + suffix, { force: true });
  }
}

function attempt<T>(file: string, work: () => T, verb?: "read"): T {
  try {
    return work();
  } catch (error) {
    throw refusal(file, systemReason(error), verb);
  }
}

/** Why the system refuses, in its own words and without the path: `EACCES: permission denied`. */
export function systemReason(error: unknown): string {
  return messageOf(error).split(", ")[0]!;
}

function refusal(file: string, reason: string, verb = "write"): UsageError {
  return new UsageError(`cannot ${verb} ${sanitize(file)}: ${reason}`);
}
