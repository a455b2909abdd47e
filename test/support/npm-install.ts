/** What `npm install` makes of a project, without asking a registry. */
import { cpSync, mkdirSync, readFileSync, linkSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { treeOf } from "./lock";
import { packageName } from "./provider-process";

const root = resolve(__dirname, "../..");

/**
 * Installs what the project's package.json names and what that needs, in the versions of the repository's lock, and nothing
 * else. The project must lie outside of the repository: there, whatever it forgets to name would be found.
 *
 * @param packed where the package was unpacked
 */
export function npmInstall(folder: string, packed: string): void {
  const own = namedIn(join(packed, "package.json"));
  const named = [...namedIn(join(folder, "package.json"), "devDependencies"), ...own];
  for (const place of treeOf(named.filter((name) => name !== packageName)))
    linkFiles(join(root, place), join(folder, place));
  cpSync(packed, join(folder, "node_modules", packageName), { recursive: true });
}

function namedIn(file: string, ...more: readonly "devDependencies"[]): string[] {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, object | undefined>;
  return ["dependencies", "peerDependencies", ...more].flatMap((kind) => Object.keys(manifest[kind] ?? {}));
}

/** Copies would be 130 MB. Those of packages below it are places of their own. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) linkFiles(source, target);
    else linkOrCopy(source, target);
  }
}

/** A folder for temporary files may be of another file system. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
}
