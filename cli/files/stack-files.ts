/** The stacks of a project, by the files with their configuration. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sorted, without the stacks that have no file: those that were never configured. */
export function stacksIn(project: string): string[] {
  const isFile = (file: string) => statSync(join(project, file), { throwIfNoEntry: false })?.isFile();
  return readdirSync(project)
    .sort()
    .flatMap((file) => (isFile(file) ? (/^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []) : []));
}
