/** The figures for a terminal, and in docs/performance.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { many, parallel, type Sample } from "./lives";
import type { Report } from "./main";
import type { Figure } from "./parts";
import type { ProgramName } from "./programs";

const document = resolve(__dirname, "../../../docs/performance.md");
const begin = "<!-- figures -->";
const end = "<!-- /figures -->";

export function asText({ machine, figures, samples }: Report): string {
  return [machine, ...[figureRows(figures), runRows(samples)].map(aligned), ""].join("\n\n").trimEnd() + "\n";
}

function aligned(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]!.length));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(width(column))).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** Puts the figures between the two comments of the document. Returns its path. */
export async function write(report: Report): Promise<string> {
  const before = readFileSync(document, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${document} needs ${begin} and, after it, ${end}`);
  const text = `${before.slice(0, from)}${begin}\n\n${section(report)}\n\n${before.slice(to)}`;
  writeFileSync(document, await format(text, { ...(await resolveConfig(document)), filepath: document }));
  return document;
}

function section({ machine, figures, samples }: Report): string {
  const rounds = (count: number) =>
    Math.max(...samples.filter((each) => each.count === count).map(({ round }) => round));
  const counts = [...new Set(samples.map(({ count }) => count))].map(
    (count) => `${count} resources: ${rounds(count)}`,
  );
  return `${machine}.
Medians of several rounds (${counts.join(", ")}); in brackets the least and the most.
Each is a run of the CLI with \`--parallel ${parallel}\`; with ${many} resources, state is written once at the end, because writing it after every step takes quadratic time in any Pulumi program. Processor time is that of the CLI with all that it starts, memory the peak of the provider process.
"1.20x" is 1.2 times that of the bare program: as many dynamic resources with the same arguments and nothing behind them.
"Equal state" is the bare program with as much in its state as this package keeps there, which the engine and the SDK pass back and forth: the difference to it, as far as it is larger than the spread, is this package's own work.
The conventional program is a \`pulumi.dynamic.Resource\` as Pulumi's documentation teaches it.

${asMarkdown(runRows(samples), 2)}

${asMarkdown(figureRows(figures), 1)}`;
}

/** The first `left` columns are words, the others figures. */
function asMarkdown([headings = [], ...rows]: readonly (readonly string[])[], left: number): string {
  const rule = headings.map((_, column) => (column < left ? "---" : "--:"));
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function figureRows(figures: readonly Figure[]): string[][] {
  const rows = figures.map(({ what, value, unit, atMost, note }) => {
    const goal = atMost === undefined ? "" : ` (at most ${digits(atMost)})`;
    return [what, `${`${digits(value)} ${unit}`.trim()}${goal}${note === undefined ? "" : `, ${note}`}`];
  });
  return rows.length === 0 ? [] : [["What", ""], ...rows];
}

/** Three digits, or as many as there are before the point. */
function digits(value: number): string {
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
}

interface Column {
  readonly heading: string;
  readonly program: ProgramName;
  readonly cell: (own: readonly Sample[], bare: readonly Sample[]) => string;
}

const requests: Column["cell"] = (own) =>
  range(
    own.map((each) => each.requests),
    0,
  );
const seconds = (each: Sample) => each.processorSeconds;
const processor: Column["cell"] = (own, bare) =>
  `${ratio(own, bare, seconds)}${range(own.map(seconds), 2)} s`;
const bytes = (each: Sample) => each.peakMemory ?? 0;
const memory: Column["cell"] = (own, bare) =>
  median(own.map(bytes)) === 0
    ? ""
    : `${ratio(own, bare, bytes)}${(median(own.map(bytes)) / 1e6).toFixed(0)} MB`;

const columns: readonly Column[] = [
  { heading: "Requests", program: "package", cell: requests },
  { heading: "Requests, conventional", program: "conventional", cell: requests },
  { heading: "Processor time", program: "package", cell: processor },
  { heading: "Processor time, equal state", program: "equal-state", cell: processor },
  { heading: "Processor time, conventional", program: "conventional", cell: processor },
  { heading: "Memory", program: "package", cell: memory },
  { heading: "Memory, conventional", program: "conventional", cell: memory },
];

/** A row for each number of resources and run. */
function runRows(samples: readonly Sample[]): string[][] {
  const places = samples.filter(({ program, round }) => program === "bare" && round === 1);
  const rows = places.map(({ count, run }) => {
    const of = (name: ProgramName) =>
      samples.filter((each) => each.count === count && each.run === run && each.program === name);
    return [String(count), run, ...columns.map(({ program, cell }) => cell(of(program), of("bare")))];
  });
  return rows.length === 0 ? [] : [["Resources", "Run", ...columns.map(({ heading }) => heading)], ...rows];
}

/** `1.20x, ` of medians; empty where there is nothing to divide by. */
function ratio(own: readonly Sample[], bare: readonly Sample[], figure: (each: Sample) => number): string {
  const base = median(bare.map(figure));
  return base === 0 ? "" : `${(median(own.map(figure)) / base).toFixed(2)}x, `;
}

/** "3.21 (3.05..3.40)", and "3.21" where all rounds say the same. */
function range(values: readonly number[], places: number): string {
  const [middle, min, max] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(places),
  );
  return min === max ? middle! : `${middle} (${min}..${max})`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
