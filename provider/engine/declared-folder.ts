/** The source folder that a deployment declares: checks read it, and uploads archive it. */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Folder, FolderContent } from "../archive/folder";
import type { Failure } from "../deployment/check";
import { contentIn } from "../deployment/content";
import type { SourceContent } from "../deployment/service";
import { reservedInPlaces, type Dialect } from "../dialects";
import { DeploymentError } from "../errors";
import { projectFolderOf } from "../files/project-folder";
import { firstOf } from "../text/first-of";
import { isBelowUnknown, isObject, unknownValue, valueAt, type Values } from "../../schema/tree";
import { sourceFolders } from "./on-demand";

export interface FoundContent {
  /** Undefined if there is no folder, or if it cannot be read. */
  readonly content?: SourceContent | typeof unknownValue;
  readonly failures: readonly Failure[];
  readonly hints: readonly string[];
  readonly warnings: readonly Failure[];
}

const configPath = ["sourceRevisionConfig", "graphConfigPath"];
const nothing: FoundContent = { failures: [], hints: [], warnings: [] };

/** @param old the inputs of the last check */
export async function readDeclaredContent(
  old: Values | undefined,
  args: Values,
  dialect: Dialect,
): Promise<FoundContent> {
  // With `ignoreChanges`, the engine passes the previous content on.
  const given = contentIn(args);
  if (given !== undefined) return { ...nothing, content: given };
  const { sourceDirectory } = args;
  const isUnknown = sourceDirectory === unknownValue || (sourceDirectory && isBelowUnknown(args, configPath));
  if (isUnknown && dialect.archives !== undefined) return { ...nothing, content: unknownValue };
  const folder = folderIn(args, dialect);
  if (folder === undefined) return nothing;
  try {
    const { content, overview, environment, warnings } = await folder.content();
    const before = contentIn(old ?? {});
    const property = "sourceDirectory";
    const news = [...warnings, ...missingVariables(environment, args, dialect)];
    return {
      content,
      failures: [],
      hints: before === undefined ? [`${property} ${overview()}`] : [],
      warnings:
        before?.digest === content.digest ? [] : news.map((reason) => ({ property: `${property}:`, reason })),
    };
  } catch (error) {
    if (!(error instanceof DeploymentError)) throw error;
    return { ...nothing, failures: [{ property: "sourceDirectory", reason: error.message }] };
  }
}

/** Names in the application's environment that the deployment would not have. */
function missingVariables(
  { place, names }: FolderContent["environment"],
  { secrets = {}, secretReferences = {} }: Values,
  dialect: Dialect,
): string[] {
  if (!isObject(secrets) || !isObject(secretReferences)) return [];
  // The service sets some itself, so that nobody declares them.
  const ofService = [...dialect.reservedSecrets, ...reservedInPlaces(dialect)];
  const isSet = (name: string) => name in secrets || name in secretReferences || ofService.includes(name);
  const missing = names.filter((name) => !isSet(name));
  if (missing.length === 0) return [];
  return [
    `\`secrets\` does not declare variables of ${place}: ${firstOf(missing)}. \`up\` does not set them. Add them to \`secrets\`, then ` +
      "set their values with `npx pulumi-deployment-service secrets FILE`",
  ];
}

/** The path without links, if it exists. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Folders of Pulumi's own files, as the environment of this process names them. */
function stackFolders({ PULUMI_BACKEND_URL: backend = "", PULUMI_HOME: home }: NodeJS.ProcessEnv): string[] {
  const written = /^file:\/\/([^?]*)/.exec(backend)?.[1];
  return [written, home].flatMap((path) =>
    path ? [realPath(resolve(path.replace(/^~(?=\/|$)/, homedir())))] : [],
  );
}

/** Undefined if none is declared, or if the service does not accept uploads. */
export function folderIn(args: Values, { archives: rules }: Dialect): Folder | undefined {
  const { sourceDirectory: directory } = args;
  if (typeof directory !== "string" || directory === "" || rules === undefined) return undefined;
  const config = valueAt(args, configPath);
  const configFile = typeof config === "string" ? config : undefined;
  // The engine starts each provider in the folder of the program, which may lie below that of the project.
  const project = projectFolderOf(process.cwd());
  return new (sourceFolders().Folder)({
    directory,
    configFile,
    rules,
    stackFolders: stackFolders(process.env),
    projectFolder: project && realPath(project),
    isBuilt: ["installCommand", "buildCommand"].some(
      (name) => valueAt(args, ["sourceConfig", name]) !== undefined,
    ),
  });
}
