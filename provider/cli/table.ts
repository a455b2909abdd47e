/** Rows of text under headings, cut to what the terminal shows. */
import { presentable } from "../presentable";

export interface Column<T> {
  readonly heading: string;
  readonly text: (row: T) => string | null | undefined;
  /** The narrowest that still says something; such a column is cut where there is no room. */
  readonly least?: number;
  /** Left out where there is no room, the last such column first. */
  readonly optional?: true;
}

const gap = "  ";

/** @param width of the terminal; without one, nothing is cut */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], width = Infinity): string {
  const cells = (column: Column<T>) => rows.map((row) => presentable(column.text(row) ?? "") || "-");
  let shown = columns.map((column) => {
    const texts = [column.heading, ...cells(column)];
    return { ...column, texts, width: texts.reduce((most, text) => Math.max(most, [...text].length), 0) };
  });
  const needed = (least: boolean) =>
    shown.reduce(
      (sum, column) => sum + (least ? Math.min(column.width, column.least ?? Infinity) : column.width),
      0,
    ) +
    gap.length * (shown.length - 1);

  for (let last = shown.findLast(({ optional }) => optional); last && needed(true) > width;) {
    shown = shown.filter((column) => column !== last);
    last = shown.findLast(({ optional }) => optional);
  }
  for (const column of shown) {
    const excess = needed(false) - width;
    if (excess > 0 && column.least !== undefined)
      column.width = Math.max(Math.min(column.width, column.least), column.width - excess);
  }
  const lines = ["", ...rows].map((_, line) => {
    const text = shown.map((column) => fit(column.texts[line]!, column.width)).join(gap);
    return fit(text, Math.min(width, [...text].length)).trimEnd();
  });
  return `${lines.join("\n")}\n`;
}

function fit(text: string, width: number): string {
  const characters = [...text];
  if (characters.length > width) return `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
  return text + " ".repeat(width - characters.length);
}
