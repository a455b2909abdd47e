/**
 * What git ignores in a folder of a repository because of `.gitignore` files above and below it, by git's own rules. Files of
 * one machine (`.git/info/exclude`, `core.excludesFile`) do not count, so that every clone has the same archive.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { readPatterns } from "./ignore-file";
import type { Pattern } from "./pattern";
import { slashed } from "../agent/paths";

/** The patterns of the `.gitignore` in a folder. */
interface Level {
  readonly folder: string;
  readonly patterns: readonly Pattern[];
}

export class GitIgnores {
  /** The deepest level first. */
  private constructor(private readonly levels: readonly Level[]) {}

  /** Undefined outside of a repository, and for a folder that git ignores as a whole: its content is not git's. */
  static around(folder: string): GitIgnores | undefined {
    const above = foldersToRoot(folder);
    if (above === undefined) return undefined;
    let ignores = new GitIgnores([]);
    for (const [index, path] of above.entries()) {
      ignores = ignores.with(path, "../".repeat(above.length - index));
      const next = above[index + 1] ?? folder;
      if (ignores.ignoring(next, `${basename(next)}/`) !== undefined) return undefined;
    }
    return ignores;
  }

  /**
   * The levels within a folder that has a `.gitignore`.
   * @param at the path from the archived folder to this one, which ends with `/`
   */
  with(folder: string, at: string): GitIgnores {
    const patterns = readPatterns(join(folder, ".gitignore"), `${at}.gitignore`, "git");
    return new GitIgnores([{ folder, patterns }, ...this.levels]);
  }

  /**
   * The pattern by which git ignores an entry.
   * @param file the absolute path
   * @param name ends with `/` for a folder
   */
  ignoring(file: string, name: string): Pattern | undefined {
    for (const { folder, patterns } of this.levels) {
      const path = join(relative(folder, dirname(file)), name);
      const last = patterns.findLast((each) => each.matches(slashed(path), name));
      if (last !== undefined) return last.isNegated ? undefined : last;
    }
    return undefined;
  }
}

/** The folders above this one, from the root of its repository. Undefined if there is no repository. */
function foldersToRoot(folder: string): string[] | undefined {
  const found: string[] = [];
  for (let path = folder; ; path = dirname(path)) {
    if (path !== folder) found.unshift(path);
    if (existsSync(join(path, ".git"))) return found;
    if (dirname(path) === path) return undefined;
  }
}
