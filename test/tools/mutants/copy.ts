/** A copy of the project in which one file at a time has a fault, and the tests that run there. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, posix, resolve } from "node:path";

export const root = resolve(__dirname, "../../..");

const notCopied = ["node_modules", ".git", ".cache", "dist"];

/** The files below a folder of the project, by their paths in it. */
export function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => posix.join(folder, name.replaceAll("\\", "/")));
}

export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), "mutants-"));

  constructor() {
    cpSync(root, this.#folder, { recursive: true, filter: (from) => !notCopied.includes(basename(from)) });
    symlinkSync(join(root, "node_modules"), join(this.#folder, "node_modules"), "junction");
  }

  read(file: string): string {
    return readFileSync(join(this.#folder, file), "utf8");
  }

  /** Whether all of these test files pass. A fault that makes them run for ever fails them after a quarter of an hour. */
  passes(tests: readonly string[]): boolean {
    const missing = tests.filter((each) => !existsSync(join(this.#folder, each)));
    if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);
    // One process loads the sources once, which costs more than most tests.
    const once = ["run", "--bail", "1", "--no-file-parallelism", "--testTimeout", "60000"];
    const projects = ["unit", "unit-isolated", "model"].flatMap((name) => ["--project", name]);
    return this.#run("vitest", [...once, ...projects, ...tests]);
  }

  /** Whether the compiler accepts the sources. */
  compiles(): boolean {
    return this.#run("tsc", [
      "-p",
      "tsconfig.json",
      "--incremental",
      "--tsBuildInfoFile",
      "types.tsbuildinfo",
    ]);
  }

  /** What comes out while the file has this text. */
  with<T>(file: string, text: string, ask: () => T): T {
    const path = join(this.#folder, file);
    const source = this.read(file);
    writeFileSync(path, text);
    try {
      return ask();
    } finally {
      writeFileSync(path, source);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(tool: string, args: readonly string[]): boolean {
    const script = join(root, "node_modules", tool === "tsc" ? "typescript/bin/tsc" : "vitest/vitest.mjs");
    return (
      spawnSync(process.execPath, [script, ...args], { cwd: this.#folder, timeout: 900_000 }).status === 0
    );
  }
}
