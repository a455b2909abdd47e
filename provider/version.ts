import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packageName = "pulumi-deployment-service";

/** The version in the package's package.json; "unknown" if the package is bundled into a program. */
export function version(): string {
  const folder = packageFolder();
  return (folder && readPackage(folder)?.version) ?? "unknown";
}

/** The folder of the package's package.json, which is above this file in the sources and in the build. */
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

/** The User-Agent header of every request. */
export const userAgent = `${packageName}/${version()}`;
