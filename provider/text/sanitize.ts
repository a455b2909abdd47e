/**
 * Makes foreign text safe for terminals, files and CI runners: no control sequences, direction changes, invisible characters or
 * commands, and no user and password in an address.
 */
import { withoutUserInfo } from "./user-info";

/** Control characters, line and paragraph separators, and format characters: directions, zero widths, tags. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Terminal control sequences. They are removed as a whole: without the escape character, the rest would remain as text. */
// eslint-disable-next-line no-control-regex
const controlSequences = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** What CI runners take for commands: GitHub's between two `::` at the beginning of a line, the others' anywhere. */
const runnerCommands = /(?<!\S)::(?=[^\s:](?:(?!::).)*::)|##(?=(?:vso|teamcity)?\[)/gi;

/** Limit for messages that combine several texts, each of which is already truncated. */
export const longestText = 4_000;

/** Replaces an unprintable character: with a space if it separates words, otherwise with nothing. */
function spaceOrNothing(character: string): string {
  return /[^\S\ufeff]|\u0085/.test(character) ? " " : "";
}

/** Makes a text one line that only shows something, truncated to a limit. */
export function sanitize(text: string, limit = 500): string {
  const plain = text
    .replace(controlSequences, "")
    .replace(unprintable, spaceOrNothing)
    .replace(/\s+/g, " ")
    .trim();
  const line = withoutUserInfo(plain).replace(runnerCommands, ([first, second]) => `${first} ${second}`);
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}

/** Sanitizes a line and keeps its indentation, for example that of a stack trace. */
export function sanitizeIndented(line: string, limit: number): string {
  const [indentation] = /^[ \t]*/.exec(line.replace(controlSequences, ""))!;
  const spaces = indentation.replaceAll("\t", "    ").slice(0, limit / 2);
  const text = sanitize(line, limit - spaces.length);
  return text === "" ? "" : spaces + text;
}

/** Replaces each unprintable character, and the beginning of a command for a CI runner, with a mark, and keeps columns. */
export function markUnprintable(text: string): string {
  return text
    .replace(unprintable, (found) => (found === "\t" ? found : "\ufffd".repeat(found.length)))
    .replace(runnerCommands, ([first]) => `${first}\ufffd`);
}

/** Replaces the same with escapes that JSON, YAML and TypeScript all read in double quotes. */
export function escapeUnprintable(text: string): string {
  return text
    .replace(unprintable, (found) => (found === "\n" ? found : found.replace(/[^]/g, unicodeEscape)))
    .replace(runnerCommands, ([first, second]) => `${unicodeEscape(first!)}${second}`);
}

/** `\u00e9` */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** JSON for files and other programs that is also safe on a terminal. */
export function jsonOf(value: unknown): string {
  return `${escapeUnprintable(JSON.stringify(value, null, 2))}\n`;
}

/** Longer lines of a log are truncated; characters. */
const longestLine = 300;

/** The non-empty lines of a text, sanitized for a terminal, indented as they are, and truncated. */
export function linesOf(text: string, width = longestLine): string[] {
  return text
    .split("\n")
    .map((line) => sanitizeIndented(line, width))
    .filter((line) => line !== "");
}
