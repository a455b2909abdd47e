/**
 * Decides which files to exclude, like the service's own command line: by its list, then by the folder's ignore files. The
 * last pattern that matches an entry or a folder above it decides. A folder that is excluded itself is not entered.
 */
import { join } from "node:path";
import type { ArchiveRules } from "../dialects/dialect";
import { decodeUtf8 } from "../agent/open-file";
import { patternsIn, type Pattern, type Reading } from "./pattern";
import { fileErrorText, SourceError } from "../agent/source-error";
import { readRegularFile } from "../files/regular-file";

export class IgnoreRules {
  private constructor(
    private readonly patterns: readonly Pattern[],
    /** The patterns of the folder's own ignore files. */
    private readonly own: readonly Pattern[],
  ) {}

  /** @param folder an absolute path */
  static of(folder: string, { leftOut, ignoreFiles }: ArchiveRules): IgnoreRules {
    const always = patternsIn(leftOut.join("\n"), "", "service");
    const own = ignoreFiles.flatMap((name) => readPatterns(join(folder, name), name, "service"));
    return new IgnoreRules([...always, ...own], own);
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

/** No patterns if there is no such file. Throws if it cannot be read: without its patterns, what it excludes would be uploaded. */
export function readPatterns(file: string, origin: string, reading: Reading): Pattern[] {
  return patternsIn(decodeUtf8(bytesOf(file), file), origin, reading);
}

function bytesOf(file: string): Buffer {
  try {
    return readRegularFile(file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes(code)) return Buffer.of();
    throw new SourceError(`cannot read ${file}: ${fileErrorText(error)}`, error);
  }
}
