/** Lists the files of an archive. Reads only folders, not files. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ArchiveRules } from "../dialects/dialect";
import { rootsOf, slashed } from "./graph-config";
import { IgnoreRules } from "./ignore-rules";
import { describeFileError, SourceError } from "./source-error";

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
  /** Paths that are excluded although no ignore file asks for it. */
  readonly unasked: LeftOut;
}

export interface LeftOut {
  readonly environment: readonly string[];
  readonly links: readonly string[];
  /** Sockets, pipes and devices. */
  readonly special: readonly string[];
}

/**
 * @param directory relative to the working directory
 * @param configFile relative to the folder; the default is the dialect's
 * @param seen called for each file
 */
export async function listingOf(
  directory: string,
  configFile: string | undefined,
  rules: ArchiveRules,
  seen: () => void,
): Promise<Listing> {
  const { folders, common, configPath } = await rootsOf(directory, configFile ?? rules.configFile);
  const files = new Map<string, SourceFile>();
  const unasked = { environment: new Set<string>(), links: new Set<string>(), special: new Set<string>() };

  const walk = async (folder: string, prefix: string, at: string, ignored: IgnoreRules): Promise<void> => {
    for (const entry of await readFolder(folder)) {
      const path = at + entry.name;
      if (ignored.leavesOut(entry.isDirectory() ? `${path}/` : path)) {
        if (!entry.isDirectory() && ignored.leavesOutUnasked(path)) unasked.environment.add(prefix + path);
        continue;
      }
      refuseUnreadableName(entry, folder);
      const file = join(folder, entry.name);
      if (entry.isDirectory()) await walk(file, prefix, `${path}/`, ignored);
      else if (entry.isSymbolicLink()) unasked.links.add(prefix + path);
      else if (!entry.isFile()) unasked.special.add(prefix + path);
      else {
        files.set(prefix + path, { path: prefix + path, file });
        seen();
      }
    }
  };
  for (const folder of folders) {
    const prefix = folder === common ? "" : `${slashed(relative(common, folder))}/`;
    await walk(folder, prefix, "", await IgnoreRules.of(folder, rules));
  }
  if (!files.has(configPath)) {
    throw new SourceError(
      `the graph configuration ${configPath} is not in the archive: an ignore file excludes it, or it is a link`,
    );
  }
  return {
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    configPath,
    unasked: {
      environment: [...unasked.environment].sort(),
      links: [...unasked.links].sort(),
      special: [...unasked.special].sort(),
    },
  };
}

async function readFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new SourceError(`cannot read the folder ${folder}: ${describeFileError(error)}`, error);
  });
}

/** Node.js replaces invalid UTF-8 in names with this character, and then cannot open the file. */
function refuseUnreadableName({ name }: Dirent, folder: string): void {
  if (!name.includes("\ufffd")) return;
  throw new SourceError(
    `the name of ${join(folder, name)} is not valid UTF-8: rename it, or exclude it with an ignore file`,
  );
}
