/**
 * The product is loaded anew for each run, as it is by a process of its own, but read and compiled once: that is most of what
 * loading it costs.
 */
import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { runAs } from "../compiled.cjs";

const folders = ["dist", "plugin"].map((name) =>
  fileURLToPath(new URL(`../../../${name}/`, import.meta.url)),
);
const compiled = new Map();

function ofProduct(file) {
  return folders.some((folder) => file.startsWith(folder));
}

/** The next run has its own. `isOther` tells what else is to be loaded anew. */
export function forgetProduct(isOther) {
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache)) if (ofProduct(file) || isOther(file)) delete cache[file];
}

export function compileProductOnce() {
  const load = Module._extensions[".js"];
  Module._extensions[".js"] = (module, file) => {
    if (!ofProduct(file)) return load(module, file);
    if (!compiled.has(file)) compiled.set(file, compile(file));
    runAs(module, compiled.get(file));
  };
}

function compile(filename) {
  return new Script(Module.wrap(readFileSync(filename, "utf8")), { filename }).runInThisContext();
}
