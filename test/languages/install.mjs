/**
 * Makes ready what `npm run test:languages` needs, in .cache/languages: the language hosts of Python and YAML, the generators
 * of SDKs, and an environment of Python with the Pulumi SDK. Done in a moment when they are there.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildTools, findGo, goEnvironment } from "../engine/build.mjs";
import { outputOf } from "../engine/executables.mjs";
import { elapsed } from "../engine/run-logged.mjs";
import { fingerprint, once, take } from "../engine/steps.mjs";
import { findPython, install, makeEnvironment } from "./python.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../.cache/languages/", import.meta.url));
const pins = JSON.parse(readFileSync(join(here, "pins.json"), "utf8"));

const steps = { codegen: buildModule, python: buildPythonHost, yaml: buildModule, venv: installSdk };

const madeOf = fingerprint(here, ["modules", "pins.json", "install.mjs", "python.mjs"]);
const recipe = () => [madeOf, process.version, cache].join("\n");
const madeOnce = Object.entries(steps).map(([name, step]) => [
  name,
  (say) => once(join(cache, `${name}.stamp`), recipe, () => step(name, say)),
]);
await take("languages", Object.fromEntries(madeOnce));

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

async function installSdk(name, say) {
  const folder = join(cache, name);
  await makeEnvironment(await findPython(), folder, say);
  await install(folder, pins.python, say);
}
