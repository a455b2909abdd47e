/** The graph configuration: it may name local packages, which the build needs beside the folder. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { messageOf } from "../errors";
import { isObject } from "../../schema/tree";
import { textOf } from "./open-file";
import { reasonOf, SourceError } from "./source-error";

export interface Roots {
  /** Folders to archive, absolute: the declared one first, then local packages outside of it. */
  readonly folders: readonly string[];
  /** The archive's root, which all of them lie in. */
  readonly common: string;
  /** The configuration, relative to the archive's root, with `/`. */
  readonly configPath: string;
}

/**
 * @param directory as declared, relative to the working directory
 * @param configFile relative to the folder
 */
export async function rootsOf(directory: string, configFile: string): Promise<Roots> {
  const folder = await folderAt(resolve(directory));
  const config = resolve(folder, configFile);
  if (!isWithin(config, folder))
    throw new SourceError(`the graph configuration ${configFile} lies outside of ${folder}`);
  const packages = await Promise.all(
    localPackagesIn(await configIn(config), config).map((path) =>
      packageAt(resolve(dirname(config), path), path, config),
    ),
  );
  const outside = [...new Set(packages)].filter((path) => !isWithin(path, folder)).sort();
  const common = outside.reduce(commonAncestor, folder);
  return { folders: [folder, ...outside], common, configPath: slashed(relative(common, config)) };
}

/** With `/` on every system. */
export function slashed(path: string): string {
  return path.split(sep).join("/");
}

/** Follows a link to the folder itself. Links within it are not followed. */
async function folderAt(path: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    throw new SourceError(`cannot read the folder ${path}: ${reasonOf(error)}`, error);
  });
  if (!(await lstat(real)).isDirectory()) throw new SourceError(`${path} is not a folder`);
  return real;
}

async function configIn(file: string): Promise<unknown> {
  const text = await textOf(file).catch((error: unknown) => {
    throw new SourceError(
      `${messageOf(error)}. It is the graph configuration: name another one with ` +
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

/** As in the service's own command line: paths begin with a dot, everything else comes from a package index. */
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

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function commonAncestor(a: string, b: string): string {
  let ancestor = a;
  while (!isWithin(b, ancestor)) {
    const above = dirname(ancestor);
    if (above === ancestor)
      throw new SourceError(`${a} and ${b} are on different drives: one archive cannot hold both`);
    ancestor = above;
  }
  return ancestor;
}
