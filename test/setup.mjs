/**
 * What `npm test` and `npm run demo` do first: makes a fresh clone ready, and is done in a moment
 * when it already is. With --no-engine it leaves out the Pulumi CLI, with --demo it first says what comes.
 *
 * Imports only Node's own modules, because it is what installs the others.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findEngine, prepareEngine } from "./engine/engine.mjs";
import { builtCli, oldestCli } from "./engine/pins.mjs";
import { elapsed, runLogged } from "./engine/run-logged.mjs";
import { fingerprint, once, take } from "./engine/steps.mjs";
import { isAtLeast } from "./engine/version.mjs";

const oldestNode = "20.18.1";
const root = fileURLToPath(new URL("..", import.meta.url));

const flags = process.argv.slice(2);
if (flags.includes("--demo")) console.log(introduction(await findEngine(process.env)));
await take("setup", {
  node: checkNode,
  packages: installPackages,
  build: buildPackage,
  ...(!flags.includes("--no-engine") && { engine: findOrBuildEngine }),
});

/** What someone who waits for the demo wants to know. `engine` is the Pulumi CLI that is there, if one is. */
function introduction(engine) {
  return [
    "The demo plays the life of one deployment: previewed, created, changed with and without a new revision,",
    "changed by someone else, replaced, destroyed. The Pulumi CLI is the real one, the service is an emulator on",
    "this machine; no account is needed, and nothing is left behind.",
    ...(engine
      ? [
          `It uses pulumi ${engine.version}, and takes about two minutes; the first time npm installs packages before.`,
        ]
      : [
          `There is no Pulumi CLI ${oldestCli} or newer on the PATH, so ${builtCli} is built from its Go modules: about six`,
          "minutes, once per machine. To avoid that, stop here (Ctrl-C), install one, and start again:",
          "  https://www.pulumi.com/docs/install/",
        ]),
    "",
  ].join("\n");
}

function checkNode() {
  if (!isAtLeast(process.version, oldestNode)) {
    throw new Error(
      `Node ${process.version} is too old: install Node ${oldestNode} or newer, https://nodejs.org`,
    );
  }
  return process.version;
}

async function installPackages(say) {
  if (packagesAreCurrent(root)) return "up to date";
  const start = Date.now();
  say("npm ci");
  await runLogged("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], {
    cwd: root,
    env: process.env,
    log: newLog("npm-ci"),
    onTick: () => say(`npm ci, ${elapsed(start)}`),
  });
  return `installed in ${elapsed(start)}`;
}

/**
 * Whether npm installed just what package-lock.json names. Compares contents, not times: a checkout
 * touches files that did not change. Packages for other systems are in the lock but not installed.
 */
function packagesAreCurrent(folder) {
  const wanted = lockedPackages(join(folder, "package-lock.json"));
  const installed = lockedPackages(join(folder, "node_modules", ".package-lock.json"));
  if (!wanted || !installed) return false;
  const same = (path) => JSON.stringify(wanted[path]) === JSON.stringify(installed[path]);
  const names = new Set([...Object.keys(wanted), ...Object.keys(installed)]);
  return [...names].every(
    (path) => path === "" || same(path) || (wanted[path]?.optional && !installed[path]),
  );
}

function lockedPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

async function buildPackage() {
  const stamp = join(root, ".cache", "built");
  const configs = ["declarations.config.mjs", "rolldown.config.mjs"];
  const sources = ["provider", "schema", "cli", "emulator", "package.json", "tsconfig.json", ...configs];
  const state = () => `${fingerprint(root, sources)} ${fingerprint(root, ["dist"])}`;
  return once(stamp, state, () => bundle(configs));
}

async function bundle(configs) {
  // Beside the old one, which another run may be using. A module that was renamed must not live on in it.
  const [made, dist] = [join(root, ".cache", "dist"), join(root, "dist")];
  rmSync(made, { recursive: true, force: true });
  const modules = join(root, "node_modules");
  const run = (tool, ...words) =>
    runLogged(process.execPath, [join(modules, tool), ...words], {
      cwd: root,
      env: process.env,
      log: newLog(words[1]),
      onTick: () => {},
    });
  await Promise.all([
    run("rollup/dist/bin/rollup", "-c", configs[0], "-d", made),
    run("rolldown/bin/cli.mjs", "-c", configs[1], "-d", made),
  ]);
  rmSync(dist, { recursive: true, force: true });
  renameSync(made, dist);
}

async function findOrBuildEngine(say) {
  const { version, source } = await prepareEngine(process.env, say);
  return `pulumi ${version} (${source})`;
}

/** A log of this run alone, outside node_modules and dist, which the steps clear. */
function newLog(name) {
  const log = join(root, ".cache", "setup", `${name}.log`);
  mkdirSync(dirname(log), { recursive: true });
  rmSync(log, { force: true });
  return log;
}
