/** A table of Markdown; Prettier makes it pretty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** `a`, `b` */
export function names(each: readonly string[]): string {
  return each.map((name) => `\`${name}\``).join(", ");
}
