#!/usr/bin/env node
// Stands in for GitHub's command line. Comments, pull requests and checks are in a file.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    paginate: { type: "boolean" },
    silent: { type: "boolean" },
    method: { type: "string", default: "GET" },
    field: { type: "string" },
    jq: { type: "string", default: "" },
  },
});
const file = process.env.GH_STORE;
const store = JSON.parse(readFileSync(file, "utf8"));
const [command, path] = positionals;
const [, kind, number, more] =
  /^repos\/acme\/chat\/(pulls|issues|commits)\/(\w+)(?:\/([\w-]+)(?:\?check_name=\w+)?)?$/.exec(path) ?? [];
const body = () => readFileSync(values.field.replace(/^body=@/, ""), "utf8");

function answer() {
  if (command !== "api") return undefined;
  const route = `${values.method} ${kind} ${number === "comments" ? "comment" : (more ?? "one")}`;
  if (route === "GET pulls one") return store.pulls[number] && JSON.stringify({ state: store.pulls[number] });
  if (route === "GET commits check-runs") return store.checks.shift() ?? "none yet";
  if (route === "GET issues comments") {
    const [, mark] = /\.user\.type == "Bot" and \(\.body \| startswith\("(.+)"\)/.exec(values.jq);
    const own = store.comments.filter(
      (each) => each.issue === number && each.user.type === "Bot" && each.body.startsWith(mark),
    );
    return own.map(({ id }) => id).join("\n");
  }
  if (route === "POST issues comments") {
    const id = 100 + store.comments.length;
    store.comments.push({ id, issue: number, user: { type: "Bot" }, body: body() });
    return "";
  }
  if (route === "PATCH issues comment") {
    store.comments.find(({ id }) => String(id) === more).body = body();
    return "";
  }
  return undefined;
}

const answered = answer();
writeFileSync(file, JSON.stringify(store));
if (answered === undefined) {
  process.stderr.write(`gh: ${values.method} ${path}: Not Found (HTTP 404)\n`);
  process.exitCode = 1;
} else if (!values.silent) process.stdout.write(`${answered}\n`);
