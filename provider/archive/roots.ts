/** The folders of an archive: the declared one, and what its graph configuration needs outside of it. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { messageOf } from "../errors";
import { readGraphConfig, type Named } from "../agent/graph-config";
import { commonAncestor, isInside, slashed } from "../agent/paths";
import { fileErrorText, SourceError } from "../agent/source-error";

export interface Roots {
  /** Absolute paths of the folders to archive: the declared one first, then packages outside it. */
  readonly folders: readonly string[];
  /** The archive's root, which contains all of them. */
  readonly common: string;
  /** The configuration's path relative to the archive's root, with `/`. */
  readonly configPath: string;
  /** The files that the build or the service loads, relative to the archive's root, with `/`. */
  readonly code: readonly Named[];
  /** Absolute paths of everything that the configuration mentions. */
  readonly needed: readonly string[];
  readonly environment: Environment;
  readonly pinsServer: boolean;
}

/** Where variables of the environment are, for a message. They are in a file, or their names are known. */
export interface Environment {
  readonly place: string;
  readonly file?: string;
  readonly names: readonly string[];
}

/** The service's own command line takes this one if the configuration has no variables. */
const usualEnvironmentFile = ".env";

/**
 * @param directory as declared, relative to the working directory
 * @param configFile relative to the folder
 */
export async function rootsOf(directory: string, configFile: string): Promise<Roots> {
  const folder = await folderAt(resolve(directory));
  const file = resolve(folder, configFile);
  if (!isInside(file, folder))
    throw new SourceError(`the graph configuration ${configFile} is outside of ${folder}`);
  const config = readGraphConfig(file);
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
  const { environmentFile } = config;
  const names = Object.keys(config.environment);
  const place =
    environmentFile === undefined
      ? `${usualEnvironmentFile}, which the service's own command line sends too`
      : `${environmentFile}, the \`env\` of the graph configuration`;
  return {
    folders: [folder, ...outside],
    common,
    configPath: inArchive(file),
    code: config.code.map((each) => ({ ...each, path: inArchive(at(each.path)) })),
    pinsServer: config.pinsServer,
    needed: [folder, ...packages, file, ...config.code.map(({ path }) => at(path))],
    environment:
      names.length > 0
        ? { place: "the `env` of the graph configuration", names }
        : { place, file: at(environmentFile ?? usualEnvironmentFile), names },
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
