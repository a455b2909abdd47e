import { homedir } from "node:os";
import { join } from "node:path";
import { findExecutable } from "./executables.mjs";
import { buildFingerprint, builtCli } from "./pins.mjs";

/** Where built engines live: one folder for each version, shared by every clone on the machine. */
export function cacheFolder(env) {
  const base = env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache");
  return join(base, "pulumi-deployment-service");
}

/** The folder of the engine this checkout wants, whether it is there or not. */
export function engineFolder(env) {
  return join(cacheFolder(env), `engine-${builtCli}-${buildFingerprint()}`);
}

/** The engine built earlier, or undefined. A folder of this name is always complete: see build.mjs. */
export function findCached(env) {
  const folder = engineFolder(env);
  if (!findExecutable("pulumi", [folder])) return undefined;
  return { version: `v${builtCli}`, source: "cache", folders: [folder] };
}
