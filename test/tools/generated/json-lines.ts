/** JSON for machines that still has readable diffs: a value per line, without the indentation that a package would carry. */
export function jsonLines(value: object): string {
  return `${JSON.stringify(value, null, 1).replace(/^ +/gm, "")}\n`;
}
