import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packageName = "pulumi-deployment-service";

/** The version in the package's own package.json, which lies above this file wherever the package was built. */
export function version(folder: string = __dirname): string {
  const found = readPackage(folder);
  if (found?.name === packageName) return found.version;
  const parent = dirname(folder);
  // Somebody has bundled it into a program of their own.
  return parent === folder ? "unknown" : version(parent);
}

function readPackage(folder: string): { name?: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  } catch {
    return undefined;
  }
}

/** How every request names who sends it. */
export const userAgent = `${packageName}/${version()}`;
