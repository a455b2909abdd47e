/** The folders of an archive: the declared one, and what its graph configuration needs outside of it. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { messageOf } from "../errors";
import { readGraphConfig, type Named } from "./graph-config";
import { commonAncestor, isInside, slashed } from "./paths";
import { fileErrorText, SourceError } from "./source-error";

export interface Roots {
  /** Absolute paths of the folders to archive: the declared one first, then packages outside it. */
  readonly folders: readonly string[];
  /** The archive's root, which contains all of them. */
  readonly common: string;
  /** The configuration's path relative to the archive's root, with `/`. */
  readonly configPath: string;
  /** The files that the service loads, relative to the archive's root, with `/`. */
  readonly code: readonly Named[];
  /** The file with environment variables that the configuration names. */
  readonly environmentFile: { readonly path: string; readonly written: string } | undefined;
}

/**
 * @param directory as declared, relative to the working directory
 * @param configFile relative to the folder
 */
export async function rootsOf(directory: string, configFile: string): Promise<Roots> {
  const folder = await folderAt(resolve(directory));
  const file = resolve(folder, configFile);
  if (!isInside(file, folder))
    throw new SourceError(`the graph configuration ${configFile} is outside of ${folder}`);
  const config = await readGraphConfig(file);
  const at = (path: string) => resolve(dirname(file), path);
  const packages = await Promise.all(
    config.packages.map(({ path, what }) =>
      folderAt(at(path)).catch((error: unknown) => {
        throw new SourceError(`${file} depends on ${what}: ${messageOf(error)}`, error);
      }),
    ),
  );
  const outside = [...new Set(packages)].filter((path) => !isInside(path, folder)).sort();
  const common = outside.reduce(commonAncestor, folder);
  const inArchive = (path: string) => slashed(relative(common, path));
  const { environmentFile: written } = config;
  return {
    folders: [folder, ...outside],
    common,
    configPath: inArchive(file),
    code: config.code.map(({ path, what }) => ({ path: inArchive(at(path)), what })),
    environmentFile: written === undefined ? undefined : { path: at(written), written },
  };
}

/** Follows a link to the folder itself. Links within it are not followed. */
async function folderAt(path: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    throw new SourceError(`cannot read the folder ${path}: ${fileErrorText(error)}`, error);
  });
  if (!(await lstat(real)).isDirectory()) throw new SourceError(`${path} is not a folder`);
  return real;
}
