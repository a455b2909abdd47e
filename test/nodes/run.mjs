/**
 * `npm run test:nodes`: the unit tests, and one story on the real engine, on newer versions of Node.js; and the types of the
 * whole repository with newer compilers.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const given = process.argv.slice(2);
const versions = given.length > 0 ? given : ["22", "24", "26"];
const tests = [
  ["--project", "unit", "--project", "unit-isolated"],
  ["--project", "e2e", "test/e2e/folder.test.ts"],
];

for (const version of versions) {
  // The package `node` holds the binary of this machine.
  const binaries = join(installedNode(version), "bin");
  const node = join(binaries, "node");
  console.log(`Node.js ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
  const env = { ...process.env, PATH: [binaries, process.env.PATH].join(delimiter) };
  for (const words of tests)
    run(node, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...words], { env });
}

for (const version of given.length > 0 ? [] : ["6", "7"]) {
  console.log(`TypeScript ${version}`);
  run(process.execPath, [
    join(root, `test/editors/typescript-${version}/node_modules/typescript/bin/tsc`),
    "--noEmit",
  ]);
}

/** The folder of the package `node`, in a place of its own. */
function installedNode(version) {
  const place = join(root, ".cache/nodes", version);
  const folder = join(place, "node_modules/node");
  if (!existsSync(join(folder, "bin"))) {
    const words = ["install", "--prefix", place, "--no-save", "--no-package-lock", `node@${version}`];
    execFileSync("npm", words, { stdio: "inherit" });
  }
  return folder;
}

function run(program, words, options = {}) {
  const { status } = spawnSync(program, words, { cwd: root, stdio: "inherit", ...options });
  if (status !== 0) process.exit(status ?? 1);
}
