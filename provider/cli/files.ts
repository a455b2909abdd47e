/**
 * The one place that writes files: what can be wrong is found before anything is written, a file is replaced in one step,
 * and what is there stays as it was where that fails.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";

/** A file that may be written: its path was checked. */
export interface Target {
  /** As the user named it. */
  readonly file: string;
  readonly path: string;
  /** What is there already; undefined for a new file. */
  readonly kind: "file" | "device" | undefined;
  /** Of the file that is there. */
  readonly mode: number | undefined;
}

/** Checks that the file can be written, and that no other is written in its place. */
export function targetAt(file: string, { cwd }: Pick<Io, "cwd">): Target {
  if (file === "-") throw refusal(file, "it names no file; without the flag, standard output is used");
  const path = resolve(cwd, file);
  const found = attempt(file, () => lstatSync(path, { throwIfNoEntry: false }));
  const leadsTo = found?.isSymbolicLink()
    ? attempt(file, () => statSync(path, { throwIfNoEntry: false }))
    : found;
  // A device or a pipe is written into; there is nothing to lose in it.
  if (leadsTo !== undefined && !leadsTo.isFile() && !leadsTo.isDirectory()) {
    return { file, path, kind: "device", mode: undefined };
  }
  if (found?.isSymbolicLink()) throw refusal(file, "it is a symbolic link: name the file that it leads to");
  if (found?.isDirectory()) throw refusal(file, "it is a folder");
  attempt(file, () => {
    if (found !== undefined) accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  });
  return { file, path, kind: found && "file", mode: found && permissionsOf(found) };
}

/** Whether two targets are one file, whatever its names. */
export function isSameFile(a: Pick<Target, "file" | "path">, b: Pick<Target, "file" | "path">): boolean {
  if (placeOf(a) === placeOf(b)) return true;
  const [one, other] = [a, b].map(({ file, path }) =>
    attempt(file, () => statSync(path, { throwIfNoEntry: false }), "read"),
  );
  return one !== undefined && one.isFile() && one.ino === other?.ino && one.dev === other.dev;
}

/** What a file holds; undefined where there is none, or nothing to read back. */
export function textIn({ file, path, kind }: Target): string | undefined {
  return kind === "file" ? attempt(file, () => readFileSync(path, "utf8"), "read") : undefined;
}

/** Writes all of them, or none: whatever does not fit is known before the first is put in its place. */
export function writeFiles(files: readonly (readonly [target: Target, text: string])[]): void {
  const staged: { target: Target; draft: string }[] = [];
  try {
    for (const [target, text] of files) {
      const draft = join(dirname(target.path), `.${randomBytes(8).toString("hex")}.tmp`);
      if (target.kind !== "device") staged.push({ target, draft });
      attempt(target.file, () => {
        if (target.kind === "device") writeFileSync(target.path, text);
        else writeDraft(draft, text, target.mode);
      });
    }
    for (const { target, draft } of staged) attempt(target.file, () => renameSync(draft, target.path));
  } finally {
    for (const { draft } of staged) rmSync(draft, { force: true });
  }
}

function writeDraft(path: string, text: string, mode: number | undefined): void {
  const draft = openSync(path, "wx", mode);
  try {
    // What the process masks on creation is masked for new files only.
    if (mode !== undefined) fchmodSync(draft, mode);
    writeFileSync(draft, text);
    fsyncSync(draft);
  } finally {
    closeSync(draft);
  }
}

function placeOf({ path }: Pick<Target, "path">): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function permissionsOf({ mode }: Stats): number {
  return mode & 0o7777;
}

function attempt<T>(file: string, work: () => T, verb?: "read"): T {
  try {
    return work();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw refusal(file, reasons[code] ?? "the system refuses it", code, verb);
  }
}

/** Why the system does not write, by its code. */
export const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "it is in use",
  EDQUOT: "the quota is used up",
  EISDIR: "it is a folder",
  ELOOP: "its path is a cycle of links",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "its folder is not there",
  ENOSPC: "no space is left",
  ENOTDIR: "its path leads through a file",
  EPERM: "permission denied",
  EPIPE: "nobody reads it",
  EROFS: "the file system is read-only",
};

function refusal(file: string, reason: string, code = "", verb = "write"): UsageError {
  return new UsageError(`cannot ${verb} ${sanitize(file)}${code && ` (${code})`}: ${reason}`);
}
