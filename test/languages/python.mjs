/** Python, and environments of it with packages from its index. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { findExecutable, foldersOf, outputOf } from "../engine/executables.mjs";
import { elapsed, runLogged } from "../engine/run-logged.mjs";
import { isAtLeast } from "../engine/version.mjs";

const oldestPython = "3.10.0";

/** The first on the PATH that is new enough, with its version. */
export async function findPython() {
  const tooOld = [];
  for (const name of ["python3", "python"]) {
    const file = findExecutable(name, foldersOf(process.env.PATH));
    const version = file && /^Python (\S+)$/.exec((await outputOf(file, ["--version"])) ?? "")?.[1];
    if (version && isAtLeast(version, oldestPython)) return { file, version };
    if (version) tooOld.push(`${name} is ${version}`);
  }
  const found = tooOld.length > 0 ? tooOld.join(", ") : "no python3 on the PATH";
  throw new Error(
    `Python ${oldestPython} or newer is needed (${found}). Install it: https://www.python.org/downloads`,
  );
}

/** Makes an environment in `folder` anew. */
export async function makeEnvironment({ file }, folder, say) {
  rmSync(folder, { recursive: true, force: true });
  const hint = "Python needs its module venv (on Debian: the package python3-venv).";
  await run(file, ["-m", "venv", folder], { folder, say, hint });
}

/** Installs into an environment what these arguments of pip say. */
export async function install(folder, wanted, say) {
  const hint = "The packages come from the package index of pip: is it within reach?";
  await run(join(folder, "bin", "pip"), ["install", "--no-input", ...wanted], { folder, say, hint });
}

async function run(command, words, { folder, say, hint }) {
  const start = Date.now();
  say("installing");
  await runLogged(command, words, {
    cwd: dirname(folder),
    env: process.env,
    log: `${folder}.log`,
    onTick: () => say(`installing, ${elapsed(start)}`),
  }).catch((error) => {
    throw new Error(`${error.message}\n${hint}`);
  });
}
