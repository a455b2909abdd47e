/** What terminals showed, kept in a file, and a picture of it: one terminal below the other. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { comparable } from "../../docs/screen";
import { scenes, screenOf } from "./scenes";

interface Shown {
  readonly title: string;
  readonly columns: number;
  readonly screen: readonly string[];
}

const path = resolve(__dirname, "terminals.json");
const margin = 16;

/** What was kept stays as it is where only times, dots and the port differ. */
export async function recordTerminals(): Promise<void> {
  const shown: Shown[] = [];
  for (const scene of Object.values(scenes)) {
    const screen = (await screenOf(scene)).split("\n").map((line) => line.trimEnd());
    shown.push({ title: scene.title, columns: scene.columns, screen });
  }
  const text = `${JSON.stringify(shown, null, 2)}\n`;
  if (existsSync(path) && constant(readFileSync(path, "utf8")) === constant(text)) return;
  writeFileSync(path, text);
}

function constant(text: string): string {
  return comparable(text.replaceAll(/127\.0\.0\.1:\d+/g, "<address>").replaceAll(/[. ]+/g, " "));
}

/** For light and dark pages. */
export function terminalsPicture(): string {
  const all = JSON.parse(readFileSync(path, "utf8")) as Shown[];
  const widest = Math.max(...all.map(({ columns }) => columns));
  const parts: string[] = [];
  let y = margin;
  for (const { title, columns, screen } of all) {
    const [width, height] = [columns * letterWidth + 2 * margin, screen.length * lineHeight + 2 * margin];
    parts.push(
      textAt(title, margin, y + 14, "text strong"),
      `<rect x="${margin}" y="${y + 24}" width="${width}" height="${height}" rx="6" class="panel on-line"/>`,
    );
    const top = y + 24 + margin + 14;
    parts.push(...screen.map((line, row) => textAt(line, 2 * margin, top + row * lineHeight, "mono text")));
    y += 24 + height + 2 * margin;
  }
  const width = Math.ceil(widest * letterWidth + 4 * margin);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img">`,
    "<title>Terminals of 120 and 160 columns during `pulumi up`</title>",
    "<style>",
    `text { font: 14px ${sans}; white-space: pre }`,
    `.mono { font-family: ${mono} }`,
    ".strong { font-weight: 600 }",
    ".panel { fill: #f6f8fa } .on-line { stroke: #d0d7de } .text { fill: #1f2328 }",
    "@media (prefers-color-scheme: dark) {",
    ".panel { fill: #161b22 } .on-line { stroke: #3d444d } .text { fill: #e6edf3 }",
    "}",
    "</style>",
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

const sans = 'ui-sans-serif, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
/** At 14 pixels, in the widest of these fonts, so that nothing runs over. */
const letterWidth = 8.45;
const lineHeight = 20;

/** @param y of the base line */
function textAt(text: string, x: number, y: number, classes: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<text x="${x}" y="${y}" class="${classes}" xml:space="preserve">${escaped}</text>`;
}
