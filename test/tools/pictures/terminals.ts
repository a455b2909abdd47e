/** What terminals showed, kept in a file, and a picture of it: one terminal below the other. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { comparable } from "../../docs/screen";
import { scenes, screenOf } from "./scenes";
import { letter, lineHeight, rectangle, svg, textAt } from "./svg";

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

export function terminalsPicture(): string {
  const all = JSON.parse(readFileSync(path, "utf8")) as Shown[];
  const widest = Math.max(...all.map(({ columns }) => columns));
  const parts: string[] = [];
  let y = margin;
  for (const { title, columns, screen } of all) {
    const size = {
      width: columns * letter.mono + 2 * margin,
      height: screen.length * lineHeight + 2 * margin,
    };
    parts.push(textAt(title, { x: margin, y: y + 14, classes: "text strong" }));
    parts.push(rectangle(margin, y + 24, size, "panel on-line"));
    const top = y + 24 + margin + 14;
    parts.push(
      ...screen.map((line, row) =>
        textAt(line, { x: 2 * margin, y: top + row * lineHeight, classes: "mono text" }),
      ),
    );
    y += 24 + size.height + 2 * margin;
  }
  const width = Math.ceil(widest * letter.mono + 4 * margin);
  return svg({ width, height: y }, "Terminals of 120 and 160 columns during `pulumi up`", "", parts);
}
