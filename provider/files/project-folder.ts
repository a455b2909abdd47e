import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project file of the nearest folder that has one: this one, which is an absolute path, or one above it. */
export function projectFileOf(folder: string): string | undefined {
  const name = projectFiles.find((each) => existsSync(join(folder, each)));
  if (name !== undefined) return join(folder, name);
  const above = dirname(folder);
  return above === folder ? undefined : projectFileOf(above);
}

export function projectFolderOf(folder: string): string | undefined {
  const file = projectFileOf(folder);
  return file && dirname(file);
}
