/** Reads the graph configuration. It can name local packages outside the folder, which the build needs too. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { messageOf } from "../errors";
import { isObject } from "../../schema/tree";
import { readText } from "./open-file";
import { describeFileError, SourceError } from "./source-error";

export interface Roots {
  /** Absolute paths of the folders to archive: the declared one first, then local packages outside it. */
  readonly folders: readonly string[];
  /** The archive's root, which contains all of them. */
  readonly common: string;
  /** The configuration's path relative to the archive's root, with `/`. */
  readonly configPath: string;
}

/**
 * @param directory as declared, relative to the working directory
 * @param configFile relative to the folder
 */
export async function rootsOf(directory: string, configFile: string): Promise<Roots> {
  const folder = await folderAt(resolve(directory));
  const config = resolve(folder, configFile);
  if (!isInside(config, folder))
    throw new SourceError(`the graph configuration ${configFile} is outside of ${folder}`);
  const packages = await Promise.all(
    localPackagesIn(await configIn(config), config).map((path) =>
      packageAt(resolve(dirname(config), path), path, config),
    ),
  );
  const outside = [...new Set(packages)].filter((path) => !isInside(path, folder)).sort();
  const common = outside.reduce(commonAncestor, folder);
  return { folders: [folder, ...outside], common, configPath: slashed(relative(common, config)) };
}

/** Converts separators to `/`. */
export function slashed(path: string): string {
  return path.split(sep).join("/");
}

/** Follows a link to the folder itself. Links within it are not followed. */
async function folderAt(path: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    throw new SourceError(`cannot read the folder ${path}: ${describeFileError(error)}`, error);
  });
  if (!(await lstat(real)).isDirectory()) throw new SourceError(`${path} is not a folder`);
  return real;
}

async function configIn(file: string): Promise<unknown> {
  const text = await readText(file).catch((error: unknown) => {
    throw new SourceError(
      `${messageOf(error)}. It is the graph configuration: choose another one with ` +
        "sourceRevisionConfig.graphConfigPath, relative to sourceDirectory",
      error,
    );
  });
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
  } catch (error) {
    // The parser's message quotes the text, which may contain environment variables.
    throw new SourceError(`the graph configuration ${file} is not valid JSON`, error);
  }
}

/** As in the service's own command line, local paths begin with a dot; the rest comes from a package index. */
function localPackagesIn(config: unknown, file: string): string[] {
  if (!isObject(config)) throw new SourceError(`the graph configuration ${file} is not a JSON object`);
  const { dependencies = [] } = config;
  if (!Array.isArray(dependencies))
    throw new SourceError(`\`dependencies\` in the graph configuration ${file} is not a list`);
  return dependencies.filter((each): each is string => typeof each === "string" && each.startsWith("."));
}

async function packageAt(path: string, written: string, config: string): Promise<string> {
  return folderAt(path).catch((error: unknown) => {
    throw new SourceError(`${config} depends on the local package ${written}: ${messageOf(error)}`, error);
  });
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function commonAncestor(a: string, b: string): string {
  let ancestor = a;
  while (!isInside(b, ancestor)) {
    const above = dirname(ancestor);
    if (above === ancestor)
      throw new SourceError(`${a} and ${b} are on different drives: one archive cannot hold both`);
    ancestor = above;
  }
  return ancestor;
}
