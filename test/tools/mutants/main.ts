/** Plays the faults of `test/mutants.ts`, one after the other, in a copy of the project. `npm run test:mutants -- adopt` */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, posix, resolve } from "node:path";
import { mutants, type Mutant } from "../../mutants";

const root = resolve(__dirname, "../../..");
const notCopied = ["node_modules", ".git", ".cache", "dist"];
const asked = process.argv.slice(2);
const chosen = mutants.filter(({ file }) => asked.length === 0 || asked.some((each) => file.includes(each)));

const copy = mkdtempSync(join(tmpdir(), "mutants-"));
cpSync(root, copy, { recursive: true, filter: (from) => !notCopied.includes(basename(from)) });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");

/** Whether all of these test files pass. */
function passes(tests: readonly string[]): boolean {
  const files = [...new Set(tests.map((each) => posix.normalize(each)))];
  const missing = files.filter((each) => !existsSync(join(copy, each)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
  const arguments_ = ["vitest", "run", "--bail", "1", "--project", "unit", "--project", "model", ...files];
  const { status } = spawnSync("npx", arguments_, { cwd: copy, shell: process.platform === "win32" });
  return status === 0;
}

/** Undefined if the tests notice the fault. */
function survival({ file, text, replacement, tests }: Mutant): string | undefined {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  if (source.split(text).length !== 2) return "its text does not stand once in the file";
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  try {
    return passes(tests) ? "no test notices it" : undefined;
  } finally {
    writeFileSync(path, source);
  }
}

try {
  if (!passes(chosen.flatMap(({ tests }) => tests))) throw new Error("the tests fail without any fault");
  let alive = 0;
  for (const mutant of chosen) {
    const problem = survival(mutant);
    if (problem !== undefined) alive++;
    const [line] = mutant.text.split("\n");
    process.stdout.write(
      `${problem === undefined ? "dies" : "LIVES"}  ${mutant.file}: ${line} -> ${mutant.replacement.trim()}`,
    );
    process.stdout.write(problem === undefined ? "\n" : `: ${problem}\n`);
  }
  process.stdout.write(`${chosen.length - alive} of ${chosen.length} faults die\n`);
  process.exitCode = alive === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
