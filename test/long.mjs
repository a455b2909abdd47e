/** All tests: random ones with many more cases than a test run has time for, others each time, and every fault. `npm run test:long -- 40 FILE` */
import { spawnSync } from "node:child_process";
import process from "node:process";

const [times = "40", ...options] = process.argv.slice(2);
const { status } = spawnSync("npx", ["vitest", "run", ...options], {
  stdio: "inherit",
  env: { ...process.env, TEST_RUNS: times },
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
