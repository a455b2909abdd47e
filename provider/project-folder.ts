import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The nearest folder with a Pulumi project: this one, which is an absolute path, or one above it. */
export function projectFolderOf(folder: string): string | undefined {
  if (projectFiles.some((name) => existsSync(join(folder, name)))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : projectFolderOf(above);
}
