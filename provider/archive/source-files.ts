/** Lists the files of an archive. Reads only folders, not files. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, posix, relative } from "node:path";
import type { ArchiveRules } from "../dialects/dialect";
import { IgnoreRules } from "./ignore-rules";
import { isInside, slashed } from "../agent/paths";
import type { Pattern } from "./pattern";
import { GitIgnores } from "./git-ignores";
import { type Absence, checkNamed } from "./named-files";
import { rootsOf, type Environment, type Roots } from "./roots";
import { fileErrorText, SourceError } from "../agent/source-error";
import { withheldText, withheldReason, type Reason, type Withheld } from "./withheld";

export interface SourceFile {
  /** The path in the archive, with `/`. */
  readonly path: string;
  /** The absolute path on disk. */
  readonly file: string;
}

export interface Listing {
  /** Sorted by path. */
  readonly files: readonly SourceFile[];
  /** The path of the graph configuration in the archive. */
  readonly configPath: string;
  readonly environment: Environment;
  readonly withheld: Withheld;
  readonly warnings: readonly string[];
}

export interface ListingOptions {
  /** Relative to the working directory. */
  readonly directory: string;
  /** Relative to the folder; the default is the dialect's. */
  readonly configFile?: string | undefined;
  readonly rules: ArchiveRules;
  /** Absolute paths of folders of Pulumi's own files, which are never source code. */
  readonly stackFolders?: readonly string[];
  /** The absolute path of the running project's folder. */
  readonly projectFolder?: string | undefined;
  /** Whether a build command could make files that the graph configuration mentions. */
  readonly isBuilt?: boolean;
}

/** @param seen called for each file */
export async function listingOf(options: ListingOptions, seen: () => void): Promise<Listing> {
  const { directory, configFile, rules, stackFolders = [], isBuilt = false } = options;
  const roots = await rootsOf(directory, configFile ?? rules.configFile);
  /** By path in the archive; folders end with `/`. */
  const files = new Map<string, string>();
  const absences = new Map<string, Absence>();
  const project = projectWithin(roots, options.projectFolder);

  const list = async (root: string): Promise<void> => {
    const prefix = root === roots.common ? "" : `${slashed(relative(roots.common, root))}/`;
    const ignored = await IgnoreRules.of(root, rules);
    const bringsBack = (file: string) =>
      ignored.bringsBack(`${slashed(relative(root, file))}/`, `${basename(file)}/`);
    const isProjectOut = project !== undefined && !bringsBack(project.folder);
    const reasonFor = (file: string, name: string): Reason | undefined => {
      if (stackFolders.includes(file)) return "stack";
      return withheldReason(name) ?? (isProjectOut && project.leavesOut(file) ? "project" : undefined);
    };
    const withheld = (file: string, name: string, git: GitIgnores | undefined) => {
      const reason = reasonFor(file, name);
      if (reason !== undefined) return { why: withheldText(reason), reason };
      const pattern = git?.ignoring(file, name);
      return pattern && { why: describePattern(pattern, prefix), reason: reasonByGit(pattern) };
    };

    const walk = async (folder: string, at: string, above: number, outer: GitIgnores | undefined) => {
      const entries = await readFolder(folder);
      const hasOwn = at !== "" && entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
      const git = hasOwn ? await outer?.with(folder, at) : outer;
      for (const entry of entries) {
        const file = join(folder, entry.name);
        // Another root has its own ignore files.
        if (roots.folders.includes(file)) continue;
        const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
        const path = at + name;
        const deciding = ignored.deciding(path, name, above);
        const pattern = ignored.excluding(deciding);
        const absence: Absence | undefined =
          pattern === undefined
            ? ((ignored.bringsBack(path, name) ? undefined : withheld(file, name, git)) ??
              absenceOfSpecialFile(entry))
            : {
                why: describePattern(pattern, prefix),
                ...(withheldReason(name) === "environment" && { reason: "environment" }),
              };
        if (absence !== undefined) {
          absences.set(prefix + path, absence);
          continue;
        }
        if (entry.isDirectory()) await walk(file, path, deciding, git);
        else {
          files.set(prefix + path, file);
          seen();
        }
      }
    };
    await walk(root, "", -1, await GitIgnores.around(root));
  };
  for (const root of roots.folders) await list(root);

  const { configPath, environment } = roots;
  return {
    files: [...files.keys()].sort().map((path) => ({ path, file: files.get(path)! })),
    configPath,
    environment,
    withheld: byReason(absences),
    warnings: checkNamed(roots, new Set(files.keys()), absences, isBuilt),
  };
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

function byReason(absences: ReadonlyMap<string, Absence>): Withheld {
  const paths = [...absences.keys()].sort();
  const reasons = new Set(paths.map((path) => absences.get(path)!.reason));
  return new Map(
    [...reasons]
      .filter((reason) => reason !== undefined)
      .map((reason) => [reason, paths.filter((path) => absences.get(path)!.reason === reason)]),
  );
}

/** @param prefix the path of the folder whose ignore file it is, in the archive */
function describePattern({ text, origin }: Pattern, prefix: string): string {
  if (origin === "") return `the service excludes \`${text}\` unless an ignore file includes it with \`!\``;
  return `\`${text}\` in ${posix.join(prefix, origin)} excludes it`;
}

/** Of a pattern in another ignore file than the folder's own. */
function reasonByGit({ origin }: Pattern): Reason {
  return origin.startsWith("../") ? "above" : "below";
}

/** Undefined for files and folders. */
function absenceOfSpecialFile(entry: Dirent): Absence | undefined {
  if (entry.isFile() || entry.isDirectory()) return undefined;
  const reason = entry.isSymbolicLink() ? "links" : "special";
  return { why: withheldText(reason), reason };
}

async function readFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new SourceError(`cannot read the folder ${folder}: ${fileErrorText(error)}`, error);
  });
}
