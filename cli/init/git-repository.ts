/** What workflows must know about the repository of a project. */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { slashed } from "../../provider/agent/paths";
import { patternsIn } from "../../provider/archive/pattern";
import { readRegularFile } from "../../provider/files/regular-file";
import { parseJson } from "../../provider/text/json";
import { asObject } from "../../schema/tree";

export type Repository = ReturnType<typeof repositoryOf>;

/**
 * The repository around the folder, which need not exist yet. A submodule belongs to the one around it. Without one, the
 * folder that holds both project and agent is expected to become a repository.
 */
export function repositoryOf(folder: string, agent: string) {
  const [upwards = ""] = /^(\.\.\/?)+/.exec(slashed(relative(folder, agent))) ?? [];
  const root = gitRootOf(folder) ?? (gitRootOf(agent) === undefined ? join(folder, upwards) : folder);
  const lfsRules = ["-e", "^[^#]*filter=lfs", "--", ":(glob)**/.gitattributes"];
  return {
    root,
    defaultBranch: defaultBranchOf(root),
    hasSubmodules: existsSync(join(root, ".gitmodules")),
    // Whether it stores files in Git LFS.
    hasLargeFiles:
      git(root, "grep", "--untracked", "--name-only", "--extended-regexp", ...lfsRules) !== undefined,
  };
}

export function gitRootOf(folder: string): string | undefined {
  const link = statSync(join(folder, ".git"), { throwIfNoEntry: false });
  const parent = dirname(folder);
  if (link?.isDirectory() || (link?.isFile() && !isSubmodule(folder))) return folder;
  return parent === folder ? undefined : (gitRootOf(parent) ?? (link && folder));
}

/** A worktree also has a file here, which leads to `worktrees`. */
function isSubmodule(folder: string): boolean {
  return /\.git\/(?:worktrees\/[^/]+\/)?modules\//.test(readRegularFile(join(folder, ".git")).toString());
}

/** As the clone knows it; in a repository that was never cloned, the branch that has the usual name, or else the only one. */
function defaultBranchOf(root: string): string {
  const remote = git(root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD");
  if (remote !== undefined) return remote.replace(/^origin\//, "");
  const branches = git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads")?.split("\n") ?? [];
  const usual = ["main", "master"].find((each) => branches.includes(each));
  return usual ?? git(root, "symbolic-ref", "--short", "HEAD") ?? "main";
}

/** Those of the paths, relative to the root, that git ignores. */
export function ignoredIn(root: string, paths: readonly string[]): string[] {
  return git(root, "check-ignore", "--", ...paths)?.split("\n") ?? [];
}

/** The folder whose npm workspaces contain the given one, up to the root of the repository; else that folder itself. */
export function npmRootOf(folder: string, root: string): string {
  for (let above = folder; above !== root && above !== dirname(above);) {
    above = dirname(above);
    const file = join(above, "package.json");
    const { workspaces } = asObject(existsSync(file) ? parseJson(readRegularFile(file).toString()) : {});
    const patterns = Array.isArray(workspaces) ? workspaces : asObject(workspaces)["packages"];
    const path = `${slashed(relative(above, folder))}/`;
    const isMatch = (pattern: unknown) =>
      patternsIn(String(pattern).replace(/^(\.?\/)?/, "/"), "", "git").some((each) => each.matches(path, ""));
    if (Array.isArray(patterns) && patterns.some(isMatch)) return above;
  }
  return folder;
}

/** Undefined without git, after a failure, and for an empty answer. */
function git(root: string, ...words: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", ["-C", root, ...words], { encoding: "utf8" });
  return status === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
}
