/** Writes files. Checks every path before the first write, and replaces each file atomically. */
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
import { attempt, refusal } from "../usage-error";
import type { Io } from "./command";

/** A file whose path was checked for writing. */
export interface TargetFile {
  /** As the user named it. */
  readonly file: string;
  /** The absolute path, with symbolic links resolved. */
  readonly path: string;
  /** What exists at the path. Devices and pipes are written to, not replaced. */
  readonly found: Stats | undefined;
}

/** Throws a `UsageError` if the file cannot be written. */
export function targetAt(file: string, { cwd }: Pick<Io, "cwd">): TargetFile {
  if (file === "-") throw refusal(file, "it is not a file name; omit the flag to write to standard output");
  const named = resolve(cwd, file);
  const folder = attempt(file, "write", () => statSync(dirname(named), { throwIfNoEntry: false }));
  if (!folder?.isDirectory()) throw refusal(file, "its folder does not exist");
  const found = attempt(file, "write", () => statSync(named, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw refusal(file, "it is a folder");
  if (found !== undefined && !found.isFile()) return { file, path: named, found };
  return attempt(file, "write", () => {
    const path = found === undefined ? named : realpathSync(named);
    if (found !== undefined) accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return { file, path, found };
  });
}

/** The content of the file; undefined if it does not exist, or is not a regular file. */
export function textIn({ file, path, found }: TargetFile): string | undefined {
  return found?.isFile() ? attempt(file, "read", () => readFileSync(path, "utf8")) : undefined;
}

/** Writes all files or none: all drafts are written before the first one is moved into place. */
export function writeFiles(files: readonly (readonly [target: TargetFile, text: string])[]): void {
  const suffix = `.${randomBytes(8).toString("hex")}.tmp`;
  const isReplaced = ({ found }: TargetFile) => found === undefined || found.isFile();
  const replaced = files.map(([target]) => target).filter(isReplaced);
  try {
    for (const [target, text] of files) {
      const draft = isReplaced(target) ? target.path + suffix : target.path;
      attempt(target.file, "write", () => writeFileSync(draft, text, { flush: isReplaced(target) }));
    }
    for (const { file, path, found } of replaced) {
      attempt(file, "write", () => {
        if (found !== undefined) chmodSync(path + suffix, found.mode);
        renameSync(path + suffix, path);
      });
    }
  } finally {
    for (const { path } of replaced) rmSync(path + suffix, { force: true });
  }
}
