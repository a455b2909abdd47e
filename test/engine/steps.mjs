/** What the scripts that make something ready for tests have in common. Imports only Node's own modules. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { elapsed } from "./run-logged.mjs";

/** Takes steps by their names, one after the other, until one fails. Each returns what came of it. */
export async function take(title, steps) {
  for (const [name, step] of Object.entries(steps)) {
    const say = (text) => console.log(`${title}: ${name} … ${text}`);
    try {
      say(await step(say, name));
    } catch (error) {
      console.error(`${title}: ${name} … failed\n${error.message}`);
      process.exitCode = 1;
      return;
    }
  }
}

/** Skips what was made of the same before, which the file `stamp` says. What was interrupted has none. */
export async function once(stamp, recipe, make) {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === recipe()) return "up to date";
  const start = Date.now();
  rmSync(stamp, { force: true });
  mkdirSync(dirname(stamp), { recursive: true });
  await make();
  writeFileSync(stamp, recipe());
  return `made in ${elapsed(start)}`;
}

/** One value for the names and contents of all files in `entries`. */
export function fingerprint(folder, entries) {
  const hash = createHash("sha256");
  const add = (path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else if (existsSync(path)) {
      hash
        .update(`${path.slice(folder.length)}\n`)
        .update(readFileSync(path))
        .update("\0");
    }
  };
  for (const entry of entries) add(join(folder, entry));
  return hash.digest("hex");
}
