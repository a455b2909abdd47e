/**
 * Makes the Python environments of the clients that `npm run test:interop` runs, in .cache/interop: the newest client that
 * can be installed, and the pinned oldest one. The file `version` in each says which version it is.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf } from "../engine/executables.mjs";
import { once, take } from "../engine/steps.mjs";
import { findPython, install, makeEnvironment } from "../languages/python.mjs";

const cache = fileURLToPath(new URL("../../.cache/interop/", import.meta.url));
const pins = JSON.parse(readFileSync(new URL("pins.json", import.meta.url), "utf8"));

await take("interop", {
  newest: (say) => makeClient("newest", ["--upgrade", pins.client], say),
  oldest: (say) => makeClient("oldest", [`${pins.client}==${pins.oldest}`, ...pins.with], say),
});

async function makeClient(name, wanted, say) {
  const python = await findPython();
  const folder = join(cache, name);
  mkdirSync(cache, { recursive: true });
  const recipe = () => JSON.stringify([python, folder, wanted]);
  await once(`${folder}.stamp`, recipe, () => makeEnvironment(python, folder, say));
  await install(folder, wanted, say);
  const shown = await outputOf(join(folder, "bin", "langgraph"), ["--version"]);
  const version = /\d+(\.\d+)+\S*/.exec(shown ?? "")?.[0] ?? "of unknown version";
  writeFileSync(join(folder, "version"), version);
  return `${pins.client} ${version}`;
}
