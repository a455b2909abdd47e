/**
 * Makes the Python environments of the clients that `npm run test:interop` runs, one for each version of
 * pins.json, in .cache/interop. Done in a moment when they are there.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findExecutable, foldersOf, outputOf } from "../engine/executables.mjs";
import { elapsed, runLogged } from "../engine/run-logged.mjs";
import { isAtLeast } from "../engine/version.mjs";

const oldestPython = "3.10.0";
const cache = fileURLToPath(new URL("../../.cache/interop/", import.meta.url));
const pins = JSON.parse(readFileSync(new URL("pins.json", import.meta.url), "utf8"));

try {
  const python = await findPython();
  say("python", python.version);
  for (const version of pins.versions) {
    const name = `${pins.client} ${version}`;
    say(name, await makeEnvironment(python, version, (text) => say(name, text)));
  }
} catch (error) {
  console.error(`interop: failed\n${error.message}`);
  process.exitCode = 1;
}

function say(what, text) {
  console.log(`interop: ${what} … ${text}`);
}

async function findPython() {
  const tooOld = [];
  for (const name of ["python3", "python"]) {
    const file = findExecutable(name, foldersOf(process.env.PATH));
    const version = file && /^Python (\S+)$/.exec((await outputOf(file, ["--version"])) ?? "")?.[1];
    if (version && isAtLeast(version, oldestPython)) return { file, version };
    if (version) tooOld.push(`${name} is ${version}`);
  }
  const found = tooOld.length > 0 ? tooOld.join(", ") : "no python3 on the PATH";
  throw new Error(
    `The clients need Python ${oldestPython} or newer (${found}). Install it: https://www.python.org/downloads`,
  );
}

async function makeEnvironment(python, version, tick) {
  const folder = join(cache, version);
  const stamp = join(folder, "complete");
  const recipe = createHash("sha256")
    .update(JSON.stringify([pins, version, python, folder]))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === recipe) return "up to date";

  const start = Date.now();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const constraints = join(folder, "constraints.txt");
  writeFileSync(constraints, `${pins.with.join("\n")}\n`);
  const options = {
    cwd: folder,
    env: process.env,
    log: join(folder, "install.log"),
    onTick: () => tick(`installing, ${elapsed(start)}`),
  };
  tick("installing");
  await runLogged(python.file, ["-m", "venv", "."], options).catch((error) => {
    throw new Error(`${error.message}\nPython needs its module venv (on Debian: the package python3-venv).`);
  });
  const wanted = ["install", "--no-input", "-c", constraints, `${pins.client}==${version}`];
  await runLogged(join(folder, "bin", "pip"), wanted, options).catch((error) => {
    throw new Error(`${error.message}\nThe clients come from the package index of pip: is it within reach?`);
  });
  writeFileSync(stamp, recipe);
  return `installed in ${elapsed(start)}`;
}
