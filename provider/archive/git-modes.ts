/**
 * The executable bits of files as git's index has them: not every system's checkout keeps them, so that the bits on the disk would
 * make a revision wherever else the program runs.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** By the absolute path of each file that git tracks in the folder. Empty outside of a repository, and without git. */
export async function executablesByGit(folder: string): Promise<ReadonlyMap<string, boolean>> {
  const { stdout } = await promisify(execFile)("git", ["ls-files", "--stage", "-z"], {
    cwd: folder,
    // A hook of git's runs with another index.
    env: { ...process.env, GIT_DIR: undefined, GIT_INDEX_FILE: undefined, GIT_WORK_TREE: undefined },
    maxBuffer: Infinity,
    timeout: 30_000,
  }).catch(() => ({ stdout: "" }));
  const entries = stdout.split("\0").flatMap((line) => {
    const [, mode, path] = /^(100\d{3}) [0-9a-f]+ \d\t(.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [[join(folder, path), mode === "100755"] as const];
  });
  return new Map(entries);
}
