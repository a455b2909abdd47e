import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version in the package's own package.json, which lies above this file wherever the package was built. */
export function version(folder: string = __dirname): string {
  try {
    const text = readFileSync(join(folder, "package.json"), "utf8");
    return (JSON.parse(text) as { version: string }).version;
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return version(parent);
  }
}
