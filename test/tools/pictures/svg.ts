/** The little of SVG that the pictures need. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture for light and dark pages. `style` may use the classes of `palette`. */
export function svg({ width, height }: Size, title: string, style: string, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>`,
    ...palette,
    style.trim(),
    `</style>`,
    ...body,
    `</svg>`,
    "",
  ].join("\n");
}

const sans = 'ui-sans-serif, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

const colours = {
  page: { light: "#ffffff", dark: "#0d1117" },
  panel: { light: "#f6f8fa", dark: "#161b22" },
  line: { light: "#d0d7de", dark: "#3d444d" },
  text: { light: "#1f2328", dark: "#e6edf3" },
  muted: { light: "#59636e", dark: "#9198a1" },
  added: { light: "#116329", dark: "#56d364" },
  changed: { light: "#7d4e00", dark: "#e3b341" },
  removed: { light: "#a40e26", dark: "#ff7b72" },
  accent: { light: "#0550ae", dark: "#79c0ff" },
};

export type Colour = keyof typeof colours;

const rules = (scheme: "light" | "dark") =>
  Object.entries(colours).map(
    ([name, colour]) => `.${name} { fill: ${colour[scheme]} } .on-${name} { stroke: ${colour[scheme]} }`,
  );

const palette = [
  `text { font: 14px ${sans}; white-space: pre }`,
  `.mono { font-family: ${mono} }`,
  `.strong { font-weight: 600 }`,
  ...rules("light"),
  `@media (prefers-color-scheme: dark) {`,
  ...rules("dark"),
  `}`,
];

/** The width of a letter at 14 pixels: the widest of the fonts that may be there, so that nothing runs over. */
export const letter = { mono: 8.45, sans: 7.9 };
export const lineHeight = 20;

export interface TextOptions {
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly classes: string;
}

export function textAt(text: string, { x, y, classes }: TextOptions): string {
  return `<text x="${x}" y="${y}" class="${classes}" xml:space="preserve">${escaped(text)}</text>`;
}

export function rectangle(
  x: number,
  y: number,
  { width, height }: Size,
  classes: string,
  more = 'rx="6"',
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${more} class="${classes}"/>`;
}

/** Breaks a text into lines at blanks; what follows a break is as far to the right as the first line. */
export function wrapped(text: string, columns: number): string[] {
  const [indent = ""] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(/(?<= )(?=\S)/)) {
    if (line.trim() !== "" && (line + word).trimEnd().length > columns) {
      lines.push(line.trimEnd());
      line = indent + " ".repeat(indent === "" ? 0 : 2);
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
