import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packageName = "pulumi-deployment-service";

/** The version in the package's own package.json; unknown where somebody has bundled it into a program of their own. */
export function version(): string {
  const folder = packageFolder();
  return (folder && readPackage(folder)?.version) ?? "unknown";
}

/** Where the package's own package.json is: above this file, wherever the package was built. */
export function packageFolder(folder: string = __dirname): string | undefined {
  if (readPackage(folder)?.name === packageName) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : packageFolder(parent);
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
