/** Decides which files to exclude: by the dialect's patterns, then by the folder's ignore files, with git's rules. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { ArchiveRules } from "../dialects/dialect";
import { SourceError } from "./source-error";

const environmentFile = /^\.env(\..*)?$/;

export class IgnoreRules {
  private constructor(
    private readonly all: Ignore,
    /** The patterns of the folder's own ignore files. */
    private readonly own: Ignore,
  ) {}

  /** @param folder an absolute path; ignore files in subfolders are not read */
  static async of(folder: string, { leftOut, ignoreFiles }: ArchiveRules): Promise<IgnoreRules> {
    const texts = await Promise.all(ignoreFiles.map((name) => readIgnoreFile(join(folder, name))));
    // Always case-sensitive, so that the archive is the same on every file system.
    const own = ignore({ ignorecase: false }).add(texts.join("\n"));
    return new IgnoreRules(ignore({ ignorecase: false }).add(leftOut).add(own), own);
  }

  /** @param path relative to the folder, with `/`; a folder's path ends with `/` */
  leavesOut(path: string): boolean {
    return this.all.ignores(path);
  }

  /** Whether a file is excluded although no ignore file asks for it, which may surprise the user. */
  leavesOutUnasked(path: string): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return environmentFile.test(name) && !this.own.ignores(path);
  }
}

async function readIgnoreFile(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return "";
    throw new SourceError(`cannot read ${file} (${code})`, error);
  }
}
