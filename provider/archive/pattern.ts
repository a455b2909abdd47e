/** Compiles lines of ignore files. Who compiles them decides what a match means: see `RootRules` and `GitIgnores`. */

import { bracketAt } from "./bracket";

/**
 * Who reads a pattern. With `folder/**`, git means what is in the folder, and the service's command line means the folder too,
 * so that it does not enter it.
 */
export type Reading = "git" | "service";

export interface Pattern {
  /** As written. */
  readonly text: string;
  /** The ignore file, relative to the archived folder; empty for a pattern that the service always applies. */
  readonly origin: string;
  /** Whether it brings back what an earlier pattern left out. */
  readonly isNegated: boolean;
  /** Whether it describes certain names, and not just everything: the last part is not only asterisks. */
  readonly isSpecific: boolean;
  /** Whether it matches an entry itself. Folders end with `/`. */
  matches(path: string, name: string): boolean;
}

export function patternsIn(text: string, origin: string, reading: Reading): Pattern[] {
  return text.split(/\r?\n|\r$/).flatMap((line) => patternOf(line, origin, reading) ?? []);
}

/** Undefined for a comment, and for a line that is not valid: neither matches anything. */
function patternOf(line: string, origin: string, reading: Reading): Pattern | undefined {
  const text = trimmed(line, reading);
  if (text === "" || text.startsWith("#") || text === "/") return undefined;
  const isNegated = text.startsWith("!");
  const written = isNegated ? text.slice(1) : text;
  const parts = written.split("/");
  const isOfFolders = parts.at(-1) === "";
  // Without a slash in front or within, it matches at any depth.
  const isOfName = parts.length === 1 || (parts.length === 2 && isOfFolders && parts[0] !== "");
  if (parts[0] === "") parts.shift();
  if (isOfFolders) parts.pop();
  const source = sourceOf(parts, isOfFolders, reading);
  if (source === undefined) return undefined;
  const regex = new RegExp(source, "su");
  return {
    text,
    origin,
    isNegated,
    isSpecific: !/^\**$/.test(parts.at(-1) ?? ""),
    matches: (path, name) => regex.test(isOfName ? name : path),
  };
}

/** Without the spaces at its end that no backslash protects. To git, a tab is a part of a name. */
function trimmed(line: string, reading: Reading): string {
  if (reading === "service") return line.endsWith("\\ ") ? line : line.trimEnd();
  return /^(?: *(?:\\.?|[^ \\]))*/su.exec(line)![0];
}

/** A regular expression for a whole path. Undefined if a part is not valid. */
function sourceOf(written: readonly string[], isOfFolders: boolean, reading: Reading): string | undefined {
  const parts = written
    .map((part) => (reading === "git" ? part.replace(/^\*{3,}$/, "**") : part))
    .filter((part, index, all) => part !== "**" || all[index - 1] !== "**");
  let source = "^";
  let slash = "";
  for (const [index, part] of parts.entries()) {
    if (part === "**" && index === parts.length - 1) {
      if (reading === "service" && index > 0) return `${source}/.*$`;
      return `${source}${slash}.+${isOfFolders ? "/" : ""}$`;
    }
    if (part === "**") {
      source += index === 0 ? "(?:.+/)?" : "(?:/.+)?";
      slash = index === 0 ? "" : "/";
      continue;
    }
    const glob = part === "*" ? "[^/]+" : globSource(part);
    if (glob === undefined) return undefined;
    source += slash + glob;
    slash = "/";
  }
  return `${source}${isOfFolders ? "/" : "/?"}$`;
}

/** Undefined if it ends within a class or with a backslash. */
function globSource(part: string): string | undefined {
  let source = "";
  for (let at = 0; at < part.length; at++) {
    const char = part[at]!;
    if (char === "\\") {
      if (++at === part.length) return undefined;
      source += literal(part[at]!);
    } else if (char === "*") {
      if (!source.endsWith("[^/]*")) source += "[^/]*";
    } else if (char === "?") {
      source += "[^/]";
    } else if (char === "[") {
      const isNegated = part[at + 1] === "!" || part[at + 1] === "^";
      const from = at + (isNegated ? 2 : 1);
      const bracket = bracketAt(part, from);
      if (bracket === undefined) return undefined;
      const { ranges, end } = bracket;
      source += `(?!/)[${isNegated ? "^" : ""}${ranges}]`;
      at = end;
    } else {
      source += literal(char);
    }
  }
  return source;
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}
