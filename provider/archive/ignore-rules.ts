/** What a folder's archive leaves out: the dialect's own patterns, then the folder's ignore files, by git's rules. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { ArchiveRules } from "../dialects/dialect";
import { SourceError } from "./source-error";

const environmentFile = /^\.env(\..*)?$/;

export class IgnoreRules {
  private constructor(
    private readonly all: Ignore,
    /** What the folder's own ignore files say. */
    private readonly own: Ignore,
  ) {}

  /** @param folder absolute; ignore files in folders below it are not read */
  static async of(folder: string, { leftOut, ignoreFiles }: ArchiveRules): Promise<IgnoreRules> {
    const texts = await Promise.all(ignoreFiles.map((name) => readIgnoreFile(join(folder, name))));
    // Always case-sensitive, whatever the file system is, so that the archive is the same on every machine.
    const own = ignore({ ignorecase: false }).add(texts.join("\n"));
    return new IgnoreRules(ignore({ ignorecase: false }).add(leftOut).add(own), own);
  }

  /** @param path relative to the folder, with `/`; that of a folder ends with one */
  leavesOut(path: string): boolean {
    return this.all.ignores(path);
  }

  /** Whether a file is left out although no ignore file excludes it, which people may not expect. */
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
