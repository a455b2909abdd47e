import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { cacheFolder, engineFolder } from "./cached.mjs";
import { findExecutable, foldersOf, outputOf } from "./executables.mjs";
import { builtCli, modules, oldestCli, oldestGo } from "./pins.mjs";
import { elapsed, runLogged } from "./run-logged.mjs";
import { isAtLeast } from "./version.mjs";

const unfinished = "building-";
const day = 24 * 60 * 60 * 1000;

/** The Go to build with, or why there is none. */
export async function findGo(env) {
  const go = findExecutable("go", foldersOf(env.PATH));
  if (!go) return { reason: "no go on the PATH" };
  const printed = await outputOf(go, ["env", "GOVERSION"], { cwd: tmpdir(), env: goEnvironment(env) });
  if (!printed) return { reason: `${go} does not tell its version` };
  if (!isAtLeast(printed, oldestGo)) return { reason: `${go} is ${printed}, older than ${oldestGo}` };
  return { go };
}

/** Builds the engine into the cache, telling `say` how it goes. */
export async function buildEngine(go, env, say) {
  const start = Date.now();
  const cache = cacheFolder(env);
  mkdirSync(cache, { recursive: true });
  removeAbandoned(cache);
  const building = mkdtempSync(join(cache, unfinished));
  const log = join(building, "build.log");

  say(`building Pulumi CLI ${builtCli} with Go: about 6 minutes, once per machine`);
  say(`to avoid it, install Pulumi CLI ${oldestCli} or newer: https://www.pulumi.com/docs/install/`);
  for (const { name, folder } of modules) {
    await buildTools(go, folder, building, {
      env,
      log,
      onTick: () => say(`building ${name}, ${elapsed(start)}`),
    });
  }
  return { ...publish(building, engineFolder(env)), source: `built in ${elapsed(start)}` };
}

/** Builds the tools that the module in `folder` names, into `target`. */
export async function buildTools(go, folder, target, { env, log, onTick }) {
  // A copy, so that Go neither writes into the repository nor meets a go.work above it.
  const copies = mkdtempSync(join(target, "modules-"));
  const cwd = join(copies, basename(folder));
  cpSync(folder, cwd, { recursive: true });
  const options = { cwd, env: { ...goEnvironment(env), GOBIN: target }, log, onTick };
  await runLogged(go, ["install", ...buildFlags, "tool"], options);
  rmSync(copies, { recursive: true });
}

const buildFlags = [
  "-trimpath",
  "-tags=osusergo,grpcnotrace",
  `-ldflags=-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${builtCli}`,
];

/** Proxies and flags stay as they are set up on the machine. Only what would change the result is fixed. */
export function goEnvironment(env) {
  return { ...env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOWORK: "off", GO111MODULE: "on" };
}

/**
 * Gives the finished folder its name in one step: an interrupted build never has the name,
 * and of two builds at the same time the second finds the first one's and drops its own.
 */
function publish(building, target) {
  try {
    renameSync(building, target);
  } catch (error) {
    if (!existsSync(join(target, "pulumi"))) throw error;
    rmSync(building, { recursive: true });
  }
  return { version: `v${builtCli}`, folders: [target] };
}

/** Builds that were interrupted leave folders of some 100 MB. Younger ones may still be running. */
function removeAbandoned(cache) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (name.startsWith(unfinished) && Date.now() - statSync(folder).mtimeMs > day) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
