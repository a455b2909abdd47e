/** `npm run test:nodes`: the unit tests, and one story on the real engine, on newer versions of Node.js. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const given = process.argv.slice(2);
const versions = given.length > 0 ? given : ["22", "24"];
const tests = [
  ["--project", "unit", "--project", "unit-isolated"],
  ["--project", "e2e", "test/e2e/hello.test.ts"],
];

for (const version of versions) {
  const folder = join(root, ".cache/nodes", version);
  const binaries = join(folder, "node_modules/node/bin");
  // The package `node` holds the binary of this machine.
  if (!existsSync(join(binaries, "node"))) {
    const words = ["install", "--prefix", folder, "--no-save", "--no-package-lock", `node@${version}`];
    execFileSync("npm", words, { stdio: "inherit" });
  }
  const node = join(binaries, "node");
  console.log(`Node.js ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
  const env = { ...process.env, PATH: [binaries, process.env.PATH].join(delimiter) };
  for (const words of tests) {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const { status } = spawnSync(node, [vitest, "run", ...words], { cwd: root, env, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
}
