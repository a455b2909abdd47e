/** Rows of text in columns. */

/** The first `left` columns are aligned to the left, as words are; the others to the right, as figures are. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly left: number;
}

export function asText(table: Table): string {
  const widths = table.headings.map((heading, column) =>
    Math.max(heading.length, ...table.rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return column < table.left ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(table.headings), rule, ...table.rows.map(line), ""].join("\n");
}

export function asMarkdown({ headings, rows, left }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = headings.map((_, column) => (column < left ? "---" : "--:"));
  return [line(headings), line(rule), ...rows.map(line), ""].join("\n");
}
