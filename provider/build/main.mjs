/** What the build does with what the compiler wrote: `node provider/build/main.mjs dist`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy } from "./lazy.mjs";
import { bundleZod, withZod } from "./zod.mjs";

export async function finishBuild(folder) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    const file = join(folder, entry);
    if (file.endsWith(".js")) writeFileSync(file, lazy(withZod(readFileSync(file, "utf8"), file, folder)));
  }
  await bundleZod(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await finishBuild(process.argv[2]);
