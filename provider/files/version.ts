import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packageName = "pulumi-deployment-service";

/** The version in the package's package.json; "unknown" if the package is bundled into a program. */
export function version(): string {
  const folder = packageFolder();
  return (folder && readPackage(folder)?.version) ?? "unknown";
}

/** The oldest versions of Node.js and of the Pulumi CLI that this version works with. */
export function versionsNeeded(): { readonly node: string; readonly cli: string } {
  const { engines, peerDependencies } = readPackage(packageFolder() ?? "") ?? {};
  const least = (range: string | undefined) => /\d+\.\d+\.\d+/.exec(range ?? "")?.[0] ?? "0.0.0";
  return { node: least(engines?.["node"]), cli: least(peerDependencies?.["@pulumi/pulumi"]) };
}

/** Above this file, in the sources and in the build. A program that is bundled as an ES module has no `__dirname`. */
export function packageFolder(folder = typeof __dirname === "string" ? __dirname : "/"): string | undefined {
  if (readPackage(folder)?.name === packageName) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : packageFolder(parent);
}

interface Package {
  readonly name?: string;
  readonly version: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readPackage(folder: string): Package | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  } catch {
    return undefined;
  }
}

/** The User-Agent header of every request. */
export const userAgent = `${packageName}/${version()}`;
