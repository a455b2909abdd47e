/**
 * Decides which files to exclude, like the service's own command line: by its list, then by the folder's ignore files. The
 * last pattern that matches an entry or a folder above it decides. A folder that is excluded itself is not entered.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveRules } from "../dialects/dialect";
import { decodeUtf8 } from "../agent/open-file";
import { patternsIn, type Pattern, type Reading } from "./pattern";
import { fileErrorText, SourceError } from "../agent/source-error";

export class IgnoreRules {
  private constructor(
    private readonly patterns: readonly Pattern[],
    /** The patterns of the folder's own ignore files. */
    private readonly own: readonly Pattern[],
  ) {}

  /** @param folder an absolute path */
  static async of(folder: string, { leftOut, ignoreFiles }: ArchiveRules): Promise<IgnoreRules> {
    const always = patternsIn(leftOut.join("\n"), "", "service");
    const own = await Promise.all(
      ignoreFiles.map((name) => readPatterns(join(folder, name), name, "service")),
    );
    return new IgnoreRules([...always, ...own.flat()], own.flat());
  }

  /**
   * The number of the pattern that decides, or -1.
   * @param path relative to the folder, with `/`; a folder's path ends with `/`
   * @param above the number for the folder that contains it
   */
  deciding(path: string, name: string, above: number): number {
    for (let index = this.patterns.length - 1; index > above; index--)
      if (this.patterns[index]!.matches(path, name)) return index;
    return above;
  }

  /** The pattern with this number, if it excludes. */
  excluding(index: number): Pattern | undefined {
    const pattern = this.patterns[index];
    return pattern?.isNegated === false ? pattern : undefined;
  }

  /** Whether one of the folder's own ignore files names this very entry after a `!`. */
  bringsBack(path: string, name: string): boolean {
    return this.own.findLast((each) => each.isSpecific && each.matches(path, name))?.isNegated === true;
  }
}

/** No patterns if there is no such file. Throws if it is not UTF-8: without its patterns, what it excludes would be uploaded. */
export async function readPatterns(file: string, origin: string, reading: Reading): Promise<Pattern[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes(code)) return Buffer.of();
    throw new SourceError(`cannot read ${file}: ${fileErrorText(error)}`, error);
  });
  return patternsIn(decodeUtf8(bytes, file), origin, reading);
}
