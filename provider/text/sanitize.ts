/** Texts of others made fit for a terminal and for files: nothing in them is obeyed, turned round or invisible. */

/** Controls of both kinds, line and paragraph separators, and format characters: directions, zero widths, tags. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What colours a terminal, or moves its cursor; without the first character the rest would stay behind as text. */
// eslint-disable-next-line no-control-regex
const controlSequences = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** For a message that is made of several texts, each cut short where it comes from. */
export const longestText = 4_000;

/** What a character that is not printed leaves behind: what parts words still does. */
function spaceOrNothing(character: string): string {
  return /[^\S\ufeff]|\u0085/.test(character) ? " " : "";
}

/** One line, without what a terminal would obey, and not endless. */
export function sanitize(text: string, limit = 500): string {
  const line = text
    .replace(controlSequences, "")
    .replace(unprintable, spaceOrNothing)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}

/** Each such character as a mark in its place. */
export function markUnprintable(text: string): string {
  return text.replace(unprintable, (found) => (found === "\t" ? found : "\ufffd".repeat(found.length)));
}

/** Each such character as an escape, as JSON, YAML and TypeScript read it in double quotes. */
export function escapeUnprintable(text: string): string {
  return text.replace(unprintable, (found) =>
    found === "\n" ? found : found.replace(/[^]/g, unicodeEscape),
  );
}

/** `\u00e9` */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** JSON for files, for other programs and, all the same, for terminals. */
export function jsonOf(value: unknown): string {
  return `${escapeUnprintable(JSON.stringify(value, null, 2))}\n`;
}
