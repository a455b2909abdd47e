const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { delimiter, join, resolve } = require("node:path");

const [, , folder, stack, other] = process.argv;
const project = resolve(folder);
const file = other === undefined ? join(project, agent.file) : resolve(other);
const keys = new Map(agent.keys);

/** As the service's own command line writes what is no text. */
function variablesIn(config) {
  const text = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : String(value ?? ""));
  const values = Object.fromEntries(
    Object.entries(config.env ?? {}).map(([name, value]) => [name, text(value)]),
  );
  return { values, ignored: [] };
}

let read;
try {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  const isConfig = agent.isGraphConfig && other === undefined;
  read = isConfig ? variablesIn(JSON.parse(text)) : parseEnvironment(text, process.env);
} catch (error) {
  // The message of a parser may quote values.
  console.error("cannot read " + file + ": " + (error.code ?? "it is not valid"));
  process.exit(1);
}
const { values, ignored } = read;

/** If no CLI is installed, runs the one of the project's packages, or else npx's. */
function pulumi(words, stdio) {
  const PATH = [process.env.PATH, join(project, "node_modules", ".bin")].join(delimiter);
  const options = { cwd: project, env: { ...process.env, PATH }, ...stdio };
  const all = ["config", ...words, ...(stack === undefined ? [] : ["--stack", stack])];
  let result = spawnSync("pulumi", all, options);
  if (result.error?.code === "ENOENT") result = spawnSync("npx", ["pulumi", ...all], options);
  if (result.error) console.error("cannot run pulumi: " + result.error.message);
  if (result.status !== 0) process.exit(1);
  return result.stdout;
}

const shown = pulumi(["--json", "--show-secrets"], { stdio: ["ignore", "pipe", "inherit"] });
const there = JSON.parse(shown);
const [, own] = /^name: *"?([^"\s]+)/m.exec(readFileSync(join(project, "Pulumi.yaml"), "utf8")) ?? [];
const missing = [];
for (const [name, key] of keys) {
  const value = Object.hasOwn(values, name) ? values[name] : "";
  const before = there[own + ":" + key];
  if (value === "") missing.push(name);
  else if (before?.secret && before.value === value) console.log("has " + key + " (" + name + ") already");
  else {
    // On standard input, a value is in no file and in no list of processes. The CLI takes one line end off.
    pulumi(["set", "--secret", key], { input: value + "\n", stdio: ["pipe", "inherit", "inherit"] });
    console.log("set " + key + " (" + name + ")");
  }
}

function report(names, text) {
  if (names.length > 0)
    console.error(names.join(", ").replace(/[^\x20-\x7e]/g, "?") + " in " + file + ": " + text);
}
report(ignored, "ignored, because this is not an assignment");
report(
  Object.keys(values).filter((name) => !keys.has(name) && !agent.others.includes(name)),
  "not set, because the project does not declare it: add it to its secrets, and to the keys in this script",
);
report(missing, "not set, because there is no value");
if (missing.length > 0) process.exitCode = 1;
