/** Many more manifests than a test run has time for, others each time: `npm run test:manifest -- 10000`. */
import { spawnSync } from "node:child_process";
import process from "node:process";

const [runs = "10000"] = process.argv.slice(2);
const files = ["equal", "secrets"].map((name) => `test/unit/manifest/${name}.long.test.ts`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "unit-long", ...files], {
  stdio: "inherit",
  env: { ...process.env, MANIFEST_RUNS: runs },
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
