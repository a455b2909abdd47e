/** Lists the files of an archive. Reads only folders, not files. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileErrorText, SourceError } from "../agent/source-error";
import { GitIgnores } from "./git-ignores";
import { executablesByGit } from "./git-modes";
import { type Absence, checkNamed } from "./named-files";
import { RootRules, type RootOptions } from "./root-rules";
import { rootsOf, type Environment } from "./roots";
import type { Withheld } from "./withheld";

export interface SourceFile {
  /** The path in the archive, with `/`. */
  readonly path: string;
  /** The absolute path on disk. */
  readonly file: string;
  /** Undefined if git does not track it. */
  readonly isExecutable: boolean | undefined;
}

export interface Listing {
  /** Sorted by path. */
  readonly files: readonly SourceFile[];
  /** The path of the graph configuration in the archive. */
  readonly configPath: string;
  readonly environment: Environment;
  readonly pinsServer: boolean;
  readonly withheld: Withheld;
}

export interface ListingOptions extends RootOptions {
  /** Relative to the working directory. */
  readonly directory: string;
  /** Relative to the folder; the default is the dialect's. */
  readonly configFile?: string | undefined;
  /** Whether a build command could make files that the graph configuration mentions. */
  readonly isBuilt?: boolean;
}

export async function listingOf(options: ListingOptions): Promise<Listing> {
  const { directory, configFile, rules, isBuilt = false } = options;
  const roots = await rootsOf(directory, configFile ?? rules.configFile);
  /** By path in the archive; folders end with `/`. */
  const files = new Map<string, Omit<SourceFile, "path">>();
  const absences = new Map<string, Absence>();
  for (const root of roots.folders) {
    const own = RootRules.of(root, roots, options);
    const walk = async (
      folder: string,
      at: string,
      above: number,
      outer: GitIgnores | undefined,
      outerBits: ReadonlyMap<string, boolean>,
    ) => {
      const entries = await readFolder(folder);
      // A submodule has an index of its own.
      const isRepository = entries.some(({ name }) => name === ".git");
      const bits = at === "" || isRepository ? await executablesByGit(folder) : outerBits;
      const hasOwn = at !== "" && entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
      const git = hasOwn ? outer?.with(folder, at) : outer;
      for (const entry of entries) {
        const file = join(folder, entry.name);
        // Another root has its own ignore files.
        if (roots.folders.includes(file)) continue;
        const path = `${at}${entry.name}${entry.isDirectory() ? "/" : ""}`;
        const deciding = own.deciding(path, above);
        const absence = own.absenceOf(entry, file, path, deciding, git);
        if (absence !== undefined) absences.set(own.prefix + path, absence);
        else if (entry.isDirectory()) await walk(file, path, deciding, git, bits);
        else files.set(own.prefix + path, { file, isExecutable: bits.get(file) });
      }
    };
    await walk(root, "", -1, GitIgnores.around(root), new Map());
  }

  checkNamed(roots, new Set(files.keys()), absences, isBuilt);
  const { configPath, environment, pinsServer } = roots;
  return {
    files: [...files.keys()].sort().map((path) => ({ path, ...files.get(path)! })),
    configPath,
    environment,
    pinsServer,
    withheld: byReason(absences),
  };
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

async function readFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new SourceError(`cannot read the folder ${folder}: ${fileErrorText(error)}`, error);
  });
}
