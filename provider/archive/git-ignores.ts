/**
 * What git ignores in a folder of a repository because of `.gitignore` files above and below it, by git's own rules. Files of
 * one machine (`.git/info/exclude`, `core.excludesFile`) do not count, so that every clone has the same archive.
 */
import { lstat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { readPatterns } from "./ignore-rules";
import type { Pattern } from "./pattern";
import { slashed } from "../agent/paths";

interface Level {
  readonly patterns: readonly Pattern[];
  /** The archived folder, relative to this file's folder; empty for a file within the archived folder. */
  readonly prefix: string;
  /** The length of the path from the archived folder to this file's. */
  readonly depth: number;
}

export class GitIgnores {
  /** The deepest level first. */
  private constructor(private readonly levels: readonly Level[]) {}

  /** Undefined outside of a repository, and for a folder that git ignores as a whole: its content is not git's. */
  static async around(folder: string): Promise<GitIgnores | undefined> {
    const above = await foldersToRoot(folder);
    if (above === undefined) return undefined;
    const levels: Level[] = [];
    // From the root, so that each folder on the way can be looked up in the levels above it.
    for (const [index, { path, prefix }] of above.entries()) {
      const origin = "../".repeat(above.length - index) + ".gitignore";
      levels.unshift({
        patterns: await readPatterns(join(path, ".gitignore"), origin, "git"),
        prefix,
        depth: 0,
      });
      const next = above[index + 1]?.prefix ?? "";
      const entry = prefix.slice(0, prefix.length - next.length);
      const ignored = new GitIgnores(levels).#ignoring(entry, (level) =>
        level.prefix.slice(0, level.prefix.length - next.length),
      );
      if (ignored !== undefined) return undefined;
    }
    return new GitIgnores(levels);
  }

  /** The levels within a subfolder that has a `.gitignore`. */
  async with(file: string, at: string): Promise<GitIgnores> {
    const patterns = await readPatterns(file, `${at}.gitignore`, "git");
    return new GitIgnores([{ patterns, prefix: "", depth: at.length }, ...this.levels]);
  }

  /**
   * The pattern by which git ignores an entry of the archived folder.
   * @param path relative to the archived folder, with `/`; a folder's path ends with `/`
   */
  ignoring(path: string, name: string): Pattern | undefined {
    return this.#ignoring(name, ({ prefix, depth }) => prefix + path.slice(depth));
  }

  #ignoring(name: string, pathIn: (level: Level) => string): Pattern | undefined {
    for (const level of this.levels) {
      const path = pathIn(level);
      const last = level.patterns.findLast((each) => each.matches(path, name));
      if (last !== undefined) return last.isNegated ? undefined : last;
    }
    return undefined;
  }
}

/** The folders above this one, from the root of its repository. Undefined if there is no repository. */
async function foldersToRoot(folder: string): Promise<{ path: string; prefix: string }[] | undefined> {
  const found: { path: string; prefix: string }[] = [];
  for (let path = folder; ; path = dirname(path)) {
    if (path !== folder) found.unshift({ path, prefix: prefixFrom(path, folder) });
    if (await exists(join(path, ".git"))) return found;
    if (dirname(path) === path) return undefined;
  }
}

function prefixFrom(above: string, folder: string): string {
  return `${slashed(relative(above, folder))}/`;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
