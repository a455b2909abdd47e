/**
 * Finds the Pulumi CLI that the tests drive, or makes one. Plain JavaScript on Node's own modules,
 * because test/setup.mjs runs before any package is installed.
 */
import { buildEngine, findGo } from "./build.mjs";
import { findCached } from "./cached.mjs";
import { findInstalled } from "./installed.mjs";
import { oldestCli, oldestGo } from "./pins.mjs";
import { placeShim } from "./shim.mjs";

/** The engine that is there: an installed one first, then one built earlier. Undefined if none. */
export async function findEngine(env = process.env) {
  const { engine } = await look(env);
  return engine;
}

/** The engine that is there, or a freshly built one. Throws what to install when neither is possible. */
export async function prepareEngine(env = process.env, say = () => {}) {
  const { engine, reason } = await look(env);
  if (engine) return engine;
  const found = await findGo(env);
  if (!found.go) throw new Error(whatToInstall([reason, found.reason]));
  const built = await buildEngine(found.go, env, say);
  built.folders.forEach(placeShim);
  return built;
}

async function look(env) {
  const { engine: installed, reason } = await findInstalled(env);
  if (installed) return { engine: installed };
  const cached = findCached(env);
  cached?.folders.forEach(placeShim);
  return { engine: cached, reason };
}

function whatToInstall(reasons) {
  return [
    `No usable Pulumi CLI (${reasons.join("; ")}).`,
    "Install one of these and run the command again:",
    `  Pulumi CLI ${oldestCli} or newer: https://www.pulumi.com/docs/install/`,
    `  Go ${oldestGo} or newer, to build the CLI: https://go.dev/doc/install`,
  ].join("\n");
}
