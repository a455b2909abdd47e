/** Installs packages as `npm install` does, without a registry. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
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

/** Tests that start at the same time find all of it, or nothing. */
function install(places: readonly string[], packed: string, shared: string): void {
  const made = mkdtempSync(`${shared}-`);
  for (const [folder, packages] of byFolder(places)) {
    mkdirSync(join(made, folder), { recursive: true });
    copyInto(join(made, folder), packages);
  }
  cpSync(packed, join(made, "node_modules", packageName), { recursive: true });
  try {
    renameSync(made, shared);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(shared)) throw error;
  }
}

/** `node_modules`, or a scope in it, and its packages. What is nested in a package comes along with it. */
function byFolder(places: readonly string[]): Map<string, string[]> {
  const outer = places.filter((place) => !places.some((other) => place.startsWith(`${other}/`)));
  const folders = new Map<string, string[]>();
  for (const place of outer)
    folders.set(dirname(place), [...(folders.get(dirname(place)) ?? []), join(root, place)]);
  return folders;
}

/**
 * Copied, not linked: a hard link changes a file of the repository's that another test may be reading. The command takes a fifth
 * of the time that Node.js takes for it.
 */
function copyInto(folder: string, packages: readonly string[]): void {
  if (process.platform !== "win32") return void execFileSync("cp", ["-R", ...packages, folder]);
  for (const each of packages) cpSync(each, join(folder, basename(each)), { recursive: true });
}

function namedIn(file: string, ...more: readonly "devDependencies"[]): string[] {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, object | undefined>;
  return ["dependencies", "peerDependencies", ...more].flatMap((kind) => Object.keys(manifest[kind] ?? {}));
}
