/** The source folder that a deployment declares: checks read it, and uploads archive it. */
import type { Folder } from "../archive/folder";
import { systemClock } from "../clock";
import type { Failure } from "../deployment/check";
import { contentIn } from "../deployment/content";
import type { SourceContent } from "../deployment/service";
import type { Dialect } from "../dialects";
import { unknownValue, valueAt, type Values } from "../../schema/tree";
import { sourceFolders } from "./on-demand";

export interface FoundContent {
  /** Undefined if there is no folder, or if it cannot be read. */
  readonly content?: SourceContent | typeof unknownValue;
  readonly failures: readonly Failure[];
  readonly hints: readonly string[];
  readonly warnings: readonly Failure[];
}

const nothing: FoundContent = { failures: [], hints: [], warnings: [] };

/**
 * @param old the inputs of the last check
 * @param progress receives messages while a large folder is read; each replaces the one before
 */
export async function readDeclaredContent(
  old: Values | undefined,
  args: Values,
  dialect: Dialect,
  progress: (message: string) => void,
): Promise<FoundContent> {
  // With `ignoreChanges`, the engine passes the previous content on.
  const given = contentIn(args);
  if (given !== undefined) return { ...nothing, content: given };
  const { sourceDirectory } = args;
  const isUnknown = sourceDirectory === unknownValue || configPathIn(args) === unknownValue;
  if (isUnknown && dialect.archives !== undefined) return { ...nothing, content: unknownValue };
  const folder = folderIn(args, dialect, progress);
  if (folder === undefined) return nothing;
  try {
    const { content, notices, warnings } = await folder.content();
    const property = "sourceDirectory";
    const isNews = contentIn(old ?? {})?.digest !== content.digest;
    return {
      content,
      failures: [],
      hints: isNews ? notices.map((notice) => `${property} ${notice}`) : [],
      warnings: isNews ? warnings.map((reason) => ({ property: `${property}:`, reason })) : [],
    };
  } catch (error) {
    if (!(error instanceof sourceFolders().SourceError)) throw error;
    return { ...nothing, failures: [{ property: "sourceDirectory", reason: error.message }] };
  }
}

/** Undefined if none is declared, or if the service does not accept uploads. */
export function folderIn(
  args: Values,
  { archives: rules }: Dialect,
  progress: (message: string) => void,
): Folder | undefined {
  const { sourceDirectory: directory } = args;
  if (typeof directory !== "string" || directory === "" || rules === undefined) return undefined;
  const configPath = configPathIn(args);
  const configFile = typeof configPath === "string" ? configPath : undefined;
  return new (sourceFolders().Folder)({ directory, configFile, rules, clock: systemClock, progress });
}

function configPathIn(args: Values): unknown {
  const { sourceRevisionConfig } = args;
  return sourceRevisionConfig === unknownValue
    ? unknownValue
    : valueAt(sourceRevisionConfig, ["graphConfigPath"]);
}
