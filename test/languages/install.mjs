/**
 * Makes ready what `npm run test:languages` needs, in .cache/languages: the language hosts of Python and YAML, the generators
 * of SDKs, and an environment of Python with the Pulumi SDK. Done in a moment when they are there.
 */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildTools, findGo, goEnvironment } from "../engine/build.mjs";
import { findExecutable, foldersOf, outputOf } from "../engine/executables.mjs";
import { elapsed, runLogged } from "../engine/run-logged.mjs";
import { isAtLeast } from "../engine/version.mjs";
import { fingerprint } from "../setup.mjs";

const oldestPython = "3.10.0";
const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../.cache/languages/", import.meta.url));
const pins = JSON.parse(readFileSync(join(here, "pins.json"), "utf8"));

const steps = { codegen: buildModule, python: buildPythonHost, yaml: buildModule, venv: makeEnvironment };

for (const [name, step] of Object.entries(steps)) {
  const say = (text) => console.log(`languages: ${name} … ${text}`);
  try {
    say(await once(name, () => step(name, say)));
  } catch (error) {
    console.error(`languages: ${name} … failed\n${error.message}`);
    process.exitCode = 1;
    break;
  }
}

/** Skips what was made of the same before. An interrupted step has no stamp. */
async function once(name, make) {
  const stamp = join(cache, `${name}.stamp`);
  const made = [fingerprint(here, ["modules", "pins.json", "install.mjs"]), process.version, cache].join(
    "\n",
  );
  const recipe = createHash("sha256").update(made).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === recipe) return "up to date";
  const start = Date.now();
  rmSync(stamp, { force: true });
  mkdirSync(cache, { recursive: true });
  await make();
  writeFileSync(stamp, recipe);
  return `made in ${elapsed(start)}`;
}

async function buildModule(name, say) {
  const { go, reason } = await findGo(process.env);
  if (!go)
    throw new Error(
      `The language hosts are built with Go (${reason}). Install it: https://go.dev/doc/install`,
    );
  const start = Date.now();
  const bin = join(cache, "bin");
  mkdirSync(bin, { recursive: true });
  say("building");
  await buildTools(go, join(here, "modules", name), bin, {
    env: process.env,
    log: join(cache, `${name}.log`),
    onTick: () => say(`building, ${elapsed(start)}`),
  });
  return go;
}

/** The host starts a script that it wants beside itself. */
async function buildPythonHost(name, say) {
  const go = await buildModule(name, say);
  const module = "github.com/pulumi/pulumi/sdk/v3";
  const options = { cwd: join(here, "modules", name), env: goEnvironment(process.env) };
  const sources = await outputOf(go, ["list", "-m", "-f", "{{.Dir}}", module], options);
  if (!sources) throw new Error(`go list -m ${module} tells no folder`);
  const script = join(cache, "bin", "pulumi-language-python-exec");
  rmSync(script, { force: true });
  copyFileSync(join(sources.trim(), "python", "cmd", "pulumi-language-python-exec"), script);
  chmodSync(script, 0o755);
}

async function makeEnvironment(name, say) {
  const start = Date.now();
  const folder = join(cache, name);
  rmSync(folder, { recursive: true, force: true });
  const options = {
    cwd: cache,
    env: process.env,
    log: join(cache, `${name}.log`),
    onTick: () => say(`installing, ${elapsed(start)}`),
  };
  say("installing");
  await runLogged(await findPython(), ["-m", "venv", folder], options).catch((error) => {
    throw new Error(`${error.message}\nPython needs its module venv (on Debian: the package python3-venv).`);
  });
  await runLogged(join(folder, "bin", "pip"), ["install", "--no-input", ...pins.python], options).catch(
    (error) => {
      throw new Error(`${error.message}\nThe SDK comes from the package index of pip: is it within reach?`);
    },
  );
}

async function findPython() {
  for (const name of ["python3", "python"]) {
    const file = findExecutable(name, foldersOf(process.env.PATH));
    const version = file && /^Python (\S+)$/.exec((await outputOf(file, ["--version"])) ?? "")?.[1];
    if (version && isAtLeast(version, oldestPython)) return file;
  }
  throw new Error(
    `No Python ${oldestPython} or newer on the PATH. Install it: https://www.python.org/downloads`,
  );
}
