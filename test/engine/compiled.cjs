/**
 * Read before all else by the processes of stacks: what installed packages compile to is kept in `.cache/compiled`. Compiling
 * the SDK, and the TypeScript that it loads, is a third of what such a process costs until it does something.
 */
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { createRequire, Module } = require("node:module");
const { dirname, join, sep } = require("node:path");
const { Script } = require("node:vm");

const installed = `${sep}node_modules${sep}`;
const cache = join(__dirname, "../../.cache/compiled");
/** In characters. Small files are compiled as quickly as they are looked up. */
const worthwhile = 2000;

/** Runs what is compiled from `Module.wrap` as the module. */
exports.runAs = (module, compiled) => {
  const { filename } = module;
  const require = Object.assign((id) => module.require(id), createRequire(filename));
  return compiled.call(module.exports, module.exports, require, module, filename, dirname(filename));
};

const compile = Module.prototype._compile;
Module.prototype._compile = function (content, file) {
  // What is compiled here cannot import in its turn.
  const isPlain = !content.startsWith("#!") && !content.includes("import(");
  const isOurs = file.includes(installed) && content.length >= worthwhile && isPlain;
  return isOurs ? exports.runAs(this, compiledFrom(content, file)) : compile.call(this, content, file);
};

function compiledFrom(content, file) {
  // Of a project's copies of a package, the first compiles for all.
  const name = createHash("md5").update(process.version).update(content).digest("hex");
  const kept = join(cache, name);
  const cachedData = attempt(() => readFileSync(kept));
  const script = new Script(Module.wrap(content), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  if (!cachedData || script.cachedDataRejected) keep(kept, script);
  return script.runInThisContext();
}

/** What waits to be kept: with the functions that loading it calls, so after that. */
const unkept = [];

function keep(kept, script) {
  if (unkept.push([kept, script]) > 1) return;
  setImmediate(() => {
    for (const [file, each] of unkept.splice(0)) attempt(() => write(file, each.createCachedData()));
  });
}

/** Another process reads all of it, or nothing. */
function write(file, data) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, data);
  renameSync(`${file}.${process.pid}`, file);
}

function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
