/**
 * What is excluded from an archive, unless `!` brings it back, although the service's own command line would upload it, and how
 * that is reported. Environment files are reported in any case, because readers look for them.
 */
import { formatSize } from "../text/size";
import { firstOf } from "../text/first-of";

export type Reason = "environment" | "project" | "stack" | "git" | "above" | "below" | "links" | "special";

/** Paths by the reason why they stay out. Folders end with `/`. */
export type Withheld = ReadonlyMap<Reason, readonly string[]>;

/** Folders end with `/`. */
const patternsOfNames: readonly (readonly [Reason, RegExp])[] = [
  ["environment", /^\.env(rc)?(\..*)?\/?$/],
  ["stack", /^(Pulumi\..+\.(ya?ml|json)|\.pulumi\/)$/],
  // A worktree or a submodule has a file, which holds a path of one machine.
  ["git", /^\.git\/?$/],
];

export function withheldReason(name: string): Reason | undefined {
  return patternsOfNames.find(([, pattern]) => pattern.test(name))?.[0];
}

/** What one is, and several are. */
const called: Readonly<Record<Reason, readonly [string, string]>> = {
  environment: ["an environment file", "environment files"],
  project: ["the running Pulumi project", "of the running Pulumi project"],
  stack: ["a file of the Pulumi stack", "files of the Pulumi stack"],
  git: ["git's own", "of git's own files"],
  above: ["by .gitignore above it", "by .gitignore above it"],
  below: ["by .gitignore in a subfolder", "by .gitignore in subfolders"],
  links: ["a link", "links"],
  special: ["not a regular file", "that are not regular files"],
};

/** Why a single path is not in the archive. */
export function withheldText(reason: Reason): string {
  return `it is ${called[reason][0]}`;
}

export interface SizedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

const shownLargest = 3;
/** The names of such files say why they are excluded. */
const obvious: readonly Reason[] = ["environment", "git"];

/** `holds 9 files, 1.2 MiB (largest: a.bin, b.py, c.py); excludes .env, 3 by .gitignore above it (a.key, b.key, data/)` */
export function overviewText(files: readonly SizedFile[], withheld: Withheld): string {
  const total = files.reduce((all, { size }) => all + size, 0);
  const sorted = [...files].sort((a, b) => b.size - a.size);
  const largest = sorted.slice(0, shownLargest).map(({ path }) => path);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const excluded = [...withheld].map(([reason, paths]) => {
    if (paths.length > 1) return `${paths.length} ${called[reason][1]} (${firstOf(paths)})`;
    return obvious.includes(reason) ? paths[0]! : `${paths[0]!} (${called[reason][0]})`;
  });
  const out = excluded.length === 0 ? "" : `; excludes ${excluded.join(", ")}`;
  return `holds ${count}, ${formatSize(total)} (largest: ${largest.join(", ")})${out}`;
}
