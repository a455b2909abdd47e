import { copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The script with which the CLI starts dynamic providers. It comes with the npm package. */
export const shimName = "pulumi-resource-pulumi-nodejs";
export const shimFolder = fileURLToPath(new URL("../../node_modules/@pulumi/pulumi/", import.meta.url));

/**
 * Puts the npm package's script next to a built CLI, where the CLI expects it: found elsewhere
 * on the PATH it works too, but with a warning in every output.
 */
export function placeShim(folder) {
  const from = join(shimFolder, shimName);
  const to = join(folder, shimName);
  if (!existsSync(from)) return;
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) return;
  // Renamed into place, because another process may be starting the old one right now.
  const fresh = `${to}.${process.pid}`;
  copyFileSync(from, fresh);
  renameSync(fresh, to);
}
