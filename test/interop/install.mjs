/**
 * Makes the Python environments of the clients that `npm run test:interop` runs, in .cache/interop: the newest client that
 * can be installed, and the pinned oldest one. The file `version` in each says which version it is.
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
  for (const which of ["newest", "oldest"]) {
    const name = `${which} ${pins.client}`;
    say(name, await makeEnvironment(python, which, (text) => say(name, text)));
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

async function makeEnvironment(python, which, tick) {
  const folder = join(cache, which);
  const stamp = join(folder, "complete");
  const recipe = createHash("sha256")
    .update(JSON.stringify([which === "oldest" && pins, python, folder]))
    .digest("hex");
  const isMade = existsSync(stamp) && readFileSync(stamp, "utf8") === recipe;
  if (isMade && which === "oldest") return `${versionIn(folder)}, up to date`;

  const start = Date.now();
  if (!isMade) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const constraints = join(folder, "constraints.txt");
  writeFileSync(constraints, which === "oldest" ? `${pins.with.join("\n")}\n` : "");
  const options = {
    cwd: folder,
    env: process.env,
    log: join(folder, "install.log"),
    onTick: () => tick(`installing, ${elapsed(start)}`),
  };
  tick("installing");
  if (!isMade)
    await runLogged(python.file, ["-m", "venv", "."], options).catch((error) => {
      throw new Error(
        `${error.message}\nPython needs its module venv (on Debian: the package python3-venv).`,
      );
    });
  const client = which === "oldest" ? `${pins.client}==${pins.oldest}` : pins.client;
  const wanted = ["install", "--no-input", "--upgrade", "-c", constraints, client];
  await runLogged(join(folder, "bin", "pip"), wanted, options).catch((error) => {
    throw new Error(`${error.message}\nThe clients come from the package index of pip: is it within reach?`);
  });
  const shown = await outputOf(join(folder, "bin", "langgraph"), ["--version"]);
  writeFileSync(join(folder, "version"), /\d+(\.\d+)+\S*/.exec(shown ?? "")?.[0] ?? "of unknown version");
  writeFileSync(stamp, recipe);
  return `${versionIn(folder)}, installed in ${elapsed(start)}`;
}

function versionIn(folder) {
  return readFileSync(join(folder, "version"), "utf8");
}
