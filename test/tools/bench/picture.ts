/** How costs grow with the number of resources, as an SVG for light and dark pages. */
import { programNames, type ProgramName } from "./programs";
import { logScale, type Scale } from "./scale";

export interface Chart {
  readonly title: string;
  readonly lines: readonly { readonly program: ProgramName; readonly points: readonly Point[] }[];
}

/** Number of resources, and what they cost. */
export type Point = readonly [count: number, cost: number];

const width = 880;
const height = 446;
const panel = { top: 104, bottom: 356, width: 350, lefts: [64, 506] };
const fontSize = 14;

const names: Record<ProgramName, string> = {
  bare: "bare program",
  "equal-state": "bare, equal state",
  package: "this package",
  conventional: "written by hand",
};

/** @param caption where and when it was measured */
export function picture(charts: readonly [Chart, Chart], caption: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escape(charts.map(({ title }) => title).join("; "))}</title>`,
    style,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...legend(),
    ...charts.flatMap((chart, index) => panelOf(chart, panel.lefts[index]!)),
    text(width / 2, height - 14, caption, { anchor: "middle", kind: "note" }),
    "</svg>",
    "",
  ].join("\n");
}

const style = `<style>
  text { font: ${fontSize}px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .note { fill: #59636e; }
  .page { fill: #ffffff; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  .bare { stroke: #6e7781; stroke-dasharray: 3 4; }
  .equal-state { stroke: #6e7781; }
  .package { stroke: #0969da; }
  .conventional { stroke: #bc4c00; stroke-dasharray: 9 5; }
  circle.bare, circle.equal-state { fill: #6e7781; } circle.package { fill: #0969da; } circle.conventional { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .page { fill: #0d1117; }
    .grid { stroke: #3d444d; }
    .bare { stroke: #9198a1; }
    .equal-state { stroke: #9198a1; }
    .package { stroke: #4493f8; }
    .conventional { stroke: #f0883e; }
    circle.bare, circle.equal-state { fill: #9198a1; } circle.package { fill: #4493f8; } circle.conventional { fill: #f0883e; }
  }
</style>`;

function legend(): string[] {
  const step = 180;
  return programNames.flatMap((program, index) => {
    const x = panel.lefts[0]! + index * step;
    return [`<polyline class="${program}" points="${x},28 ${x + 34},28"/>`, text(x + 42, 33, names[program])];
  });
}

function panelOf({ title, lines }: Chart, left: number): string[] {
  const right = left + panel.width;
  // Nothing has no place on an axis like this: a program without requests has no line.
  const drawn = lines.map(({ program, points }) => ({
    program,
    points: points.filter(([, cost]) => cost > 0),
  }));
  const all = drawn.flatMap(({ points }) => points);
  const head = text(left, panel.top - 28, title, { kind: "title" });
  if (all.length === 0) return [head];
  const counts = logScale(
    all.map(([count]) => count),
    left,
    right,
  );
  const costs = logScale(
    all.map(([, cost]) => cost),
    panel.bottom,
    panel.top,
  );
  return [
    head,
    ...grid(counts, costs, left, right),
    text((left + right) / 2, panel.bottom + 44, "resources", { anchor: "middle", kind: "note" }),
    ...drawn.flatMap(({ program, points }) => lineOf(program, points, counts, costs)),
  ];
}

function grid(counts: Scale, costs: Scale, left: number, right: number): string[] {
  return [
    ...costs.ticks.flatMap((tick) => {
      const y = round(costs.at(tick));
      return [
        `<line class="grid" x1="${left}" y1="${y}" x2="${right}" y2="${y}"/>`,
        text(left - 8, y + 5, label(tick), { anchor: "end", kind: "note" }),
      ];
    }),
    ...counts.ticks.map((tick) =>
      text(round(counts.at(tick)), panel.bottom + 22, label(tick), { anchor: "middle", kind: "note" }),
    ),
  ];
}

function lineOf(program: ProgramName, points: readonly Point[], counts: Scale, costs: Scale): string[] {
  const places = points.map(([count, cost]) => [round(counts.at(count)), round(costs.at(cost))] as const);
  if (places.length === 0) return [];
  return [
    `<polyline class="${program}" points="${places.map((place) => place.join(",")).join(" ")}"/>`,
    ...places.map(([x, y]) => `<circle class="${program}" cx="${x}" cy="${y}" r="3.5"/>`),
  ];
}

function text(
  x: number,
  y: number,
  content: string,
  { anchor = "start", kind = "label" }: { anchor?: "start" | "middle" | "end"; kind?: string } = {},
): string {
  return `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escape(content)}</text>`;
}

function label(tick: number): string {
  return tick >= 1000 ? `${(tick / 1000).toLocaleString("en")}k` : String(tick);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
