/**
 * Decides what below one root stays out of the archive, and why. Like the service's own command line: by its list, then by the folder's
 * ignore files. The last pattern that matches an entry or a folder above it decides. A folder that is excluded itself is not entered.
 */
import type { Dirent } from "node:fs";
import { basename, join, posix, relative } from "node:path";
import { isInside, slashed } from "../agent/paths";
import type { ArchiveRules } from "../dialects/dialect";
import type { GitIgnores } from "./git-ignores";
import { readPatterns } from "./ignore-file";
import type { Absence } from "./named-files";
import { patternsIn, type Pattern } from "./pattern";
import type { Roots } from "./roots";
import { withheldReason, withheldText, type Reason } from "./withheld";

export interface RootOptions {
  readonly rules: ArchiveRules;
  /** Absolute paths of folders of Pulumi's own files, which are never source code. */
  readonly stackFolders?: readonly string[];
  /** The absolute path of the running project's folder. */
  readonly projectFolder?: string | undefined;
}

export class RootRules {
  private constructor(
    /** The root's path in the archive: empty, or with `/` at its end. */
    readonly prefix: string,
    /** Those that always apply, then the folder's own. */
    private readonly patterns: readonly Pattern[],
    private readonly own: readonly Pattern[],
    private readonly stackFolders: readonly string[],
    /** Whether it belongs to the running project, and stays out with it. */
    private readonly isOfProject: (file: string) => boolean,
  ) {}

  /** @param root an absolute path, one of `roots.folders` */
  static of(root: string, roots: Roots, { rules, stackFolders = [], projectFolder }: RootOptions): RootRules {
    const prefix = root === roots.common ? "" : `${slashed(relative(roots.common, root))}/`;
    const always = patternsIn(rules.leftOut.join("\n"), "", "service");
    const own = rules.ignoreFiles.flatMap((name) => readPatterns(join(root, name), name, "service"));
    const project = projectWithin(roots, projectFolder);
    const isKept =
      project === undefined ||
      bringsBack(own, `${slashed(relative(root, project.folder))}/`, `${basename(project.folder)}/`);
    const leavesOut = isKept ? () => false : project.leavesOut;
    return new RootRules(prefix, [...always, ...own], own, stackFolders, leavesOut);
  }

  /**
   * The number of the pattern that decides, or -1.
   * @param path relative to the root, with `/`; a folder's path ends with `/`
   * @param above the number for the folder that contains it
   */
  deciding(path: string, above: number): number {
    const name = nameIn(path);
    for (let index = this.patterns.length - 1; index > above; index--)
      if (this.patterns[index]!.matches(path, name)) return index;
    return above;
  }

  /**
   * Why an entry stays out; undefined if it does not.
   * @param file its absolute path
   * @param path relative to the root, with `/`; a folder's path ends with `/`
   */
  absenceOf(
    entry: Dirent,
    file: string,
    path: string,
    deciding: number,
    git: GitIgnores | undefined,
  ): Absence | undefined {
    const name = nameIn(path);
    const pattern = this.patterns[deciding];
    if (pattern?.isNegated === false) {
      const why = describePattern(pattern, this.prefix);
      return withheldReason(name) === "environment" ? { why, reason: "environment" } : { why };
    }
    const withheld = bringsBack(this.own, path, name) ? undefined : this.#withheld(file, name, git);
    return withheld ?? absenceOfSpecialFile(entry);
  }

  #withheld(file: string, name: string, git: GitIgnores | undefined): Absence | undefined {
    const isProject = this.isOfProject(file) ? "project" : undefined;
    const reason = this.stackFolders.includes(file) ? "stack" : (withheldReason(name) ?? isProject);
    if (reason !== undefined) return { why: withheldText(reason), reason };
    const pattern = git?.ignoring(file, name);
    return pattern && { why: describePattern(pattern, this.prefix), reason: reasonByGit(pattern) };
  }
}

/** Whether one of the folder's own ignore files names this very entry after a `!`. */
function bringsBack(own: readonly Pattern[], path: string, name: string): boolean {
  return own.findLast((each) => each.isSpecific && each.matches(path, name))?.isNegated === true;
}

/** The last name of a path, with the `/` of a folder. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2) + 1);
}

/**
 * The running project's folder below the archive's root, with what of it stays out: everything, or what lies beside the
 * files and folders in it that the configuration mentions.
 */
function projectWithin({ common, needed }: Roots, folder: string | undefined) {
  if (folder === undefined || folder === common || !isInside(folder, common)) return undefined;
  const within = needed.filter((each) => isInside(each, folder));
  const leavesOut = (file: string) =>
    isInside(file, folder) && !within.some((each) => isInside(each, file) || isInside(file, each));
  return { folder, leavesOut };
}

/** @param prefix the path of the folder whose ignore file it is, in the archive */
function describePattern({ text, origin }: Pattern, prefix: string): string {
  if (origin === "") return `the service excludes \`${text}\` unless an ignore file includes it with \`!\``;
  return `\`${text}\` in ${posix.join(prefix, origin)} excludes it`;
}

/** The reason for a pattern of another ignore file than the folder's own. */
function reasonByGit({ origin }: Pattern): Reason {
  return origin.startsWith("../") ? "above" : "below";
}

/** Undefined for files and folders. */
function absenceOfSpecialFile(entry: Dirent): Absence | undefined {
  if (entry.isFile() || entry.isDirectory()) return undefined;
  const reason = entry.isSymbolicLink() ? "links" : "special";
  return { why: withheldText(reason), reason };
}
