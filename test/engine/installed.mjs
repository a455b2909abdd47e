import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findExecutable, foldersBeside, foldersOf, outputOf } from "./executables.mjs";
import { oldestCli } from "./pins.mjs";
import { shimFolder, shimName } from "./shim.mjs";
import { isAtLeast, parseVersion } from "./version.mjs";

const languageHost = "pulumi-language-nodejs";

/**
 * The CLI someone installed, when it is new enough and complete.
 * Returns the engine, or why there is none.
 */
export async function findInstalled(env) {
  const path = foldersOf(env.PATH);
  const cli = findExecutable("pulumi", path);
  if (!cli) return { reason: "no pulumi on the PATH" };

  const printed = await cliVersion(cli, env);
  if (!parseVersion(printed ?? "")) return { reason: `${cli} does not tell its version` };
  if (!isAtLeast(printed, oldestCli)) return { reason: `${cli} is ${printed}, older than ${oldestCli}` };

  const folders = [...foldersBeside(cli), ...path];
  const host = findExecutable(languageHost, folders);
  if (!host) return { reason: `${cli} has no ${languageHost} next to it or on the PATH` };

  // The CLI looks beside itself too, so only what lies elsewhere has to be added.
  const shim = findExecutable(shimName, folders);
  const extra = shim ? [] : [shimFolder];
  return {
    engine: {
      version: printed,
      source: "installed",
      folders: [...new Set([dirname(cli), dirname(host), ...extra])],
    },
  };
}

/** `pulumi version` writes a log into its home: give it one that is not the developer's. */
async function cliVersion(cli, env) {
  const home = mkdtempSync(join(tmpdir(), "pulumi-version-"));
  try {
    return await outputOf(cli, ["version"], {
      env: { ...env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "1" },
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
