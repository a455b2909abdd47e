/** The script that sets the secrets of a stack from the agent's variables. It contains no value. */
import { relative } from "node:path";
import { parseEnvironment } from "../agent/environment-file";
import { slashed } from "../agent/paths";
import type { AgentVariables } from "./variables";

export const secretsScript = "set-secrets.sh";

/**
 * Passes the values to the CLI on standard input, so that they are in no file and in no list of processes. That takes one process
 * for each, so it leaves out those that the stack has already.
 *
 * @param folder of the project, absolute
 * @param secrets the configuration key of each secret, by its name
 */
export function secretsText(
  { isGraphConfig, values, file }: AgentVariables,
  folder: string,
  secrets: ReadonlyMap<string, string>,
): string {
  const keys = new Map([...secrets].filter(([name]) => Object.hasOwn(values, name)));
  const others = Object.keys(values).filter((name) => !keys.has(name));
  return String.raw`#!/bin/sh
# Sets the secrets of a stack from the agent's variables. This file contains no value.
#   sh ${secretsScript} [STACK [FILE]]
set -eu
exec node - "$(dirname "$0")" "$@" <<'EOF'
const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { delimiter, join, resolve } = require("node:path");

const [, , folder, stack, other] = process.argv;
const project = resolve(folder);
const file = other === undefined ? join(project, ${JSON.stringify(slashed(relative(folder, file)))}) : resolve(other);
const isObject = ${isGraphConfig} && other === undefined;
/** The configuration key of each secret. */
const keys = new Map([
  ${[...keys].map((each) => JSON.stringify(each)).join(",\n  ")}
]);
/** Variables that are not declared on purpose. */
const others = ${JSON.stringify(others)};

const parseEnvironment = ${String(parseEnvironment)};

/** As the service's own command line writes what is no text. */
function variablesIn(config) {
  const text = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : String(value ?? ""));
  const values = Object.fromEntries(Object.entries(config.env ?? {}).map(([name, value]) => [name, text(value)]));
  return { values, ignored: [] };
}

let read;
try {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  read = isObject ? variablesIn(JSON.parse(text)) : parseEnvironment(text, process.env);
} catch (error) {
  // The message of a parser may quote values.
  console.error("cannot read " + file + ": " + (error.code ?? "it is not valid"));
  process.exit(1);
}
const { values, ignored } = read;
// If no CLI is installed, the one of the project's packages, or else npx's.
const PATH = [process.env.PATH, join(project, "node_modules", ".bin")].join(delimiter);
const options = { cwd: project, env: { ...process.env, PATH }, stdio: ["pipe", "inherit", "inherit"] };
const started = (words, more) => {
  const result = spawnSync("pulumi", words, { ...options, ...more });
  return result.error?.code === "ENOENT" ? spawnSync("npx", ["pulumi", ...words], { ...options, ...more }) : result;
};
const pulumi = (words, more) => {
  const chosen = stack === undefined ? [] : ["--stack", stack];
  const { status, error, stdout } = started(["config", ...words, ...chosen], more);
  if (error) console.error("cannot run pulumi: " + error.message);
  if (status !== 0) process.exit(1);
  return stdout;
};
const text = pulumi(["--json", "--show-secrets"], { stdio: ["ignore", "pipe", "inherit"] });
const [, own] = /^name: *"?([^"\s]+)/m.exec(readFileSync(join(project, "Pulumi.yaml"), "utf8")) ?? [];
const there = JSON.parse(text);
const missing = [];
for (const [name, key] of keys) {
  const value = Object.hasOwn(values, name) ? values[name] : "";
  if (value === "") missing.push(name);
  else if (there[own + ":" + key]?.secret && there[own + ":" + key].value === value)
    console.log("has " + key + " (" + name + ") already");
  else {
    // The CLI takes one line end off.
    pulumi(["set", "--secret", key], { input: value + "\n" });
    console.log("set " + key + " (" + name + ")");
  }
}
const report = (names, text) => {
  if (names.length > 0) console.error(names.join(", ").replace(/[^\x20-\x7e]/g, "?") + " in " + file + ": " + text);
};
report(ignored, "ignored, because this is not an assignment");
report(
  Object.keys(values).filter((name) => !keys.has(name) && !others.includes(name)),
  "not set, because the project does not declare it: add it to its secrets, and to the keys in this script",
);
report(missing, "not set, because there is no value");
if (missing.length > 0) process.exitCode = 1;
EOF
`;
}
