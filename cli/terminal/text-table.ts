/** Prints rows under headings. */
import displayWidth from "string-width";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { withoutUserInfo } from "../../provider/text/user-info";
import { mapLeaves } from "../../schema/tree";
import type { Io, ParsedArguments } from "../command";

/** A column is omitted if no row has a text for it. */
export interface Column<T> {
  readonly heading: string;
  readonly text: (row: T) => string | null | undefined;
  /** Also omitted if the terminal is too narrow for it. */
  readonly optional?: true;
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

/** @param terminal the width of the terminal; nothing is omitted if it is missing or 0 */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], terminal = 0): string {
  const all = columns.flatMap(({ heading, text, optional }) => {
    const cells = rows.map((row) => sanitize(text(row) ?? ""));
    if (cells.every((cell) => cell === "")) return [];
    const texts = [heading, ...cells.map((cell) => cell || "-")];
    return { heading, optional, texts, width: Math.max(...texts.map((each) => displayWidth(each))) };
  });
  const widthOf = ({ width }: (typeof all)[number]) => gap.length + width;
  let left = terminal + gap.length - all.reduce((sum, each) => sum + (each.optional ? 0 : widthOf(each)), 0);
  // What matters most stands first. A column that is too wide makes room for the next one.
  const shown = all.filter((each) => {
    if (!each.optional || terminal === 0) return true;
    if (widthOf(each) > left) return false;
    left -= widthOf(each);
    return true;
  });
  const lines = [undefined, ...rows].map((_, line) => {
    const cells = shown.map(({ texts, width }) => {
      const text = texts[line]!;
      return text + " ".repeat(width - displayWidth(text));
    });
    return `${cells.join(gap).trimEnd()}\n`;
  });
  const hidden = all.filter((column) => !shown.includes(column)).map(({ heading }) => heading);
  const note = hidden.length === 0 ? "" : `\nToo narrow for ${hidden.join(", ")}: --json shows all.\n`;
  return lines.join("") + note;
}

/** Sorts by name, in the same order in every locale. */
export function sortedByName<T extends { readonly name: string }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
