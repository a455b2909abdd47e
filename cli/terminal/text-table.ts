/** Prints rows under headings, cut to the width of the terminal. */
import { charactersOf, displayWidth } from "./display-width";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { withoutUserInfo } from "../../provider/text/user-info";
import { mapLeaves } from "../../schema/tree";
import type { Io, ParsedArguments } from "../command";

export interface Column<T> {
  readonly heading: string;
  readonly text: (row: T) => string | null | undefined;
  /** The smallest useful width. A column with one is cut if the terminal is too narrow. */
  readonly least?: number;
  /** A cell that is cut keeps its end, for what differs there: `…/search-chat:1.2.0`. */
  readonly keepsEnd?: true;
  /** Omitted if no row has a text for it, or if the terminal has no space left for it after those before it. */
  readonly optional?: true;
  /** Instead of being omitted for its width, it makes the table a list of records, in which nothing is cut. */
  readonly always?: true;
}

const gap = "  ";

/**
 * Prints rows as a table, as JSON with `--json`, or on standard error that there are none.
 *
 * @param json what JSON shows, if that is not the rows
 */
export function printRows<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  none: string,
  { switches }: Pick<ParsedArguments, "switches">,
  { stdout, stderr, columns: width }: Io,
  json: unknown = rows,
): void {
  const shown = (leaf: unknown) => (typeof leaf === "string" ? withoutUserInfo(leaf) : leaf);
  if (switches.has("json")) stdout.write(jsonOf(mapLeaves(json, shown)));
  else if (rows.length > 0) stdout.write(table(rows, columns, width));
  else if (none !== "") stderr.write(`${none}\n`);
}

/**
 * @param terminal the width of the terminal; nothing is cut if it is missing or 0
 */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], terminal = 0): string {
  const width = terminal > 0 ? terminal : Infinity;
  const all = columns.flatMap((column) => {
    const cells = rows.map((row) => sanitize(column.text(row) ?? ""));
    if (column.optional && cells.every((text) => text === "")) return [];
    const texts = [column.heading, ...cells.map((text) => text || "-")];
    return { ...column, texts, width: texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0) };
  });
  const full = (column: (typeof all)[number]) => column.width + gap.length;
  const least = (column: (typeof all)[number]) =>
    Math.min(column.width, column.least ?? Infinity) + gap.length;
  const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, -gap.length);
  const required = all.filter(({ optional }) => !optional);
  const first = all.find(({ optional }) => optional);
  let space = width - sum(required.map(full));
  // The required columns are cut for the first optional one, but not for those after it.
  const slack = sum(required.map(full)) - sum(required.map(least));
  const shown = all.filter((column) => {
    if (!column.optional) return true;
    const isFitting = least(column) <= space + (column === first ? slack : 0);
    if (isFitting) space -= least(column);
    return isFitting;
  });
  if (all.some((column) => column.always && !shown.includes(column))) return records(all, rows.length);
  // What matters least stands last, and is cut first.
  for (const column of [...shown].reverse()) {
    const excess = sum(shown.map(full)) - width;
    if (excess > 0 && column.least !== undefined)
      column.width = Math.max(Math.min(column.width, column.least), column.width - excess);
  }
  const lines = [undefined, ...rows].map((_, line) => {
    const texts = shown.map(({ texts, width, keepsEnd }) => fit(texts[line]!, width, line > 0 && keepsEnd));
    return cut(texts.join(gap), width).trimEnd();
  });
  const hidden = all.filter((column) => !shown.includes(column));
  const headings = hidden.map(({ heading }) => heading).join(", ");
  const note =
    headings === "" ? "" : `\n${wrap(`Too narrow for ${headings}: --json shows all.`, width).join("\n")}\n`;
  return `${lines.join("\n")}\n${note}`;
}

/** Each row as lines of its own, without what it does not have. */
function records(
  columns: readonly { readonly heading: string; readonly texts: readonly string[] }[],
  count: number,
): string {
  const width = Math.max(...columns.map(({ heading }) => heading.length));
  const rows = Array.from({ length: count }, (_, row) =>
    columns.flatMap(({ heading, texts }) => {
      const text = texts[row + 1]!;
      return text === "-" ? [] : [`${heading.padEnd(width)}${gap}${text}\n`];
    }),
  );
  return rows.map((lines) => lines.join("")).join("\n");
}

/** The lines of a text, broken between words. A command in backticks stays on one line, so that it can be copied. */
export function wrap(text: string, width: number): readonly string[] {
  return (text.match(/`[^`]*`[^ ]*|[^ ]+/g) ?? [""]).reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}

export function cut(text: string, width: number): string {
  return fit(text, Math.min(width, displayWidth(text)));
}

/** Pads or cuts the text to exactly this width. */
function fit(text: string, width: number, keepsEnd = false): string {
  const missing = width - displayWidth(text);
  if (missing >= 0) return text + " ".repeat(missing);
  const characters = [...charactersOf(text)];
  const kept: string[] = [];
  let left = Math.max(0, width - 1);
  for (const character of keepsEnd ? characters.reverse() : characters) {
    left -= displayWidth(character);
    if (left < 0) break;
    kept.push(character);
  }
  const whole = keepsEnd ? `…${kept.reverse().join("")}` : `${kept.join("")}…`;
  return fit(whole, Math.max(width, 1));
}

/** Sorts by name, in the same order in every locale. */
export function sortedByName<T extends { readonly name: string }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
