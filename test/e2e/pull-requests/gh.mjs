#!/usr/bin/env node
// Stands in for GitHub's command line: comments and pull requests in a file, as the script of the example asks for them.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    paginate: { type: "boolean" },
    slurp: { type: "boolean" },
    silent: { type: "boolean" },
    method: { type: "string", default: "GET" },
    field: { type: "string" },
  },
});
const file = process.env.GH_STORE;
const store = JSON.parse(readFileSync(file, "utf8"));
const [command, path] = positionals;
const [, kind, number, more] = /^repos\/acme\/chat\/(pulls|issues)\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
const body = () => readFileSync(values.field.replace(/^body=@/, ""), "utf8");

function answer() {
  if (command !== "api") return undefined;
  const route = `${values.method} ${kind} ${number === "comments" ? "comment" : (more ?? "one")}`;
  if (route === "GET pulls one") return store.pulls[number] && { state: store.pulls[number] };
  if (route === "GET issues comments") {
    const pages = store.comments.filter((each) => each.issue === number).map((each) => [each]);
    return values.paginate && values.slurp ? pages : (pages[0] ?? []);
  }
  if (route === "POST issues comments") {
    store.comments.push({
      id: 100 + store.comments.length,
      issue: number,
      user: { type: "Bot" },
      body: body(),
    });
    return {};
  }
  if (route === "PATCH issues comment") {
    store.comments.find(({ id }) => String(id) === more).body = body();
    return {};
  }
  return undefined;
}

const answered = answer();
writeFileSync(file, JSON.stringify(store));
if (answered === undefined) {
  process.stderr.write(`gh: ${values.method} ${path}: Not Found (HTTP 404)\n`);
  process.exitCode = 1;
} else if (!values.silent) process.stdout.write(JSON.stringify(answered));
