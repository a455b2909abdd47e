/** What `npm install` makes of a project, without asking a registry. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { treeOf } from "./lock";
import { packageName } from "./provider-process/package-name";

const root = resolve(__dirname, "../..");

/**
 * Installs what the project's package.json names and what that needs, in the versions of the repository's lock, and nothing
 * else. The project must lie outside of the repository: there, whatever it forgets to name would be found. Projects that name
 * the same share one folder next to the package, as they only read it.
 *
 * @param packed where the package was unpacked
 */
export function npmInstall(folder: string, packed: string): void {
  const own = namedIn(join(packed, "package.json"));
  const named = [...namedIn(join(folder, "package.json"), "devDependencies"), ...own];
  // Binaries for other kinds of machines are in the lock, but not installed.
  const places = treeOf(named.filter((name) => name !== packageName)).filter((place) =>
    existsSync(join(root, place)),
  );
  const shared = join(
    dirname(packed),
    createHash("md5").update(places.sort().join()).digest("hex"),
    "node_modules",
  );
  if (!existsSync(shared)) install(places, packed, dirname(shared));
  symlinkSync(shared, join(folder, "node_modules"), "junction");
}

/** Tests that begin at the same time find all of it, or nothing. */
function install(places: readonly string[], packed: string, shared: string): void {
  const made = mkdtempSync(`${shared}-`);
  for (const place of places) copyPackage(join(root, place), join(made, place));
  cpSync(packed, join(made, "node_modules", packageName), { recursive: true });
  try {
    renameSync(made, shared);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(shared)) throw error;
  }
}

function namedIn(file: string, ...more: readonly "devDependencies"[]): string[] {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, object | undefined>;
  return ["dependencies", "peerDependencies", ...more].flatMap((kind) => Object.keys(manifest[kind] ?? {}));
}

/**
 * Copied, not linked: a hard link changes a file of the repository's that another test may be reading. Packages nested in it
 * are places of their own.
 */
function copyPackage(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
}
