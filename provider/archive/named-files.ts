/** Checks that an archive contains what the graph configuration mentions. */
import type { Named } from "../agent/graph-config";
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
 * @returns warnings about sources of COPY and ADD
 * @throws SourceError for other files
 */
export function checkNamed(
  { configPath, code, copied }: Roots,
  files: ReadonlySet<string>,
  absences: ReadonlyMap<string, Absence>,
  isBuilt: boolean,
): readonly string[] {
  const whyNot = (path: string) => {
    const parts = path.split("/");
    const above = parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
    const found = [...above, path].find((each) => absences.has(each));
    if (found !== undefined) return absences.get(found)!.why;
    return path.startsWith("../")
      ? "it is outside of the folder and of its local packages"
      : "it does not exist";
  };
  const problem = ({ what, path }: Named) =>
    `${what} of ${configPath} needs ${path}, which is not in the archive: ${whyNot(path)}`;
  if (!files.has(configPath))
    throw new SourceError(
      `the graph configuration ${configPath} is not in the archive: ${whyNot(configPath)}`,
    );
  const missing = isBuilt ? undefined : code.find(({ path }) => !files.has(path));
  if (missing !== undefined) throw new SourceError(problem(missing));
  const paths = [...files];
  const isThere = (path: string) =>
    path === "" || files.has(path) || paths.some((each) => each.startsWith(`${path}/`));
  return copied.filter(({ path }) => !isThere(path)).map(problem);
}
