/** Checks that an archive contains what the graph configuration mentions. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Roots } from "./roots";
import { SourceError } from "../agent/source-error";
import type { Reason } from "./withheld";

/** Why a path is not in the archive. A reason is reported: the service's own command line would upload it. */
export interface Absence {
  readonly why: string;
  readonly reason?: Reason;
}

/**
 * @param files paths in the archive
 * @param absences by path; folders end with `/`
 * @param isBuilt whether a build command may make some
 * @throws SourceError for the first that is missing
 */
export function checkNamed(
  { common, configPath, code }: Roots,
  files: ReadonlySet<string>,
  absences: ReadonlyMap<string, Absence>,
  isBuilt: boolean,
): void {
  const whyNot = (path: string) => {
    const parts = path.split("/");
    const above = parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
    const found = [...above, path].find((each) => absences.has(each));
    if (found !== undefined) return absences.get(found)!.why;
    if (path.startsWith("../")) return "it is outside the folder and its local packages";
    const isFolder = statSync(join(common, path), { throwIfNoEntry: false })?.isDirectory();
    return isFolder ? "it is a folder, not a file" : "it does not exist";
  };
  if (!files.has(configPath))
    throw new SourceError(
      `the graph configuration ${configPath} is not in the archive: ${whyNot(configPath)}`,
    );
  const missing = code.find(({ path, isMade }) => !files.has(path) && !(isMade && isBuilt));
  if (missing !== undefined) {
    const { what, path } = missing;
    throw new SourceError(
      `${what} of ${configPath} needs ${path}, which is not in the archive: ${whyNot(path)}`,
    );
  }
}
