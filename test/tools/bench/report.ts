/** The figures as Markdown tables, for a terminal and for docs/performance.md. */
import type { Sample } from "./lives";
import type { Report } from "./main";
import type { Figure } from "./parts";
import type { ProgramName } from "./programs";

export function asText({ machine, figures, samples }: Report): string {
  return `${[machine, ...tableOf(runRows(samples)), ...tableOf(figureRows(figures))].join("\n\n")}\n`;
}

/** Nothing where there is no row below the headings. */
function tableOf([headings = [], ...rows]: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const widths = headings.map((_, at) => Math.max(3, ...[headings, ...rows].map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  return [[line(headings), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")];
}

function figureRows(figures: readonly Figure[]): string[][] {
  const rows = figures.map(({ what, value, unit }) => [what, `${Number(value.toPrecision(3))} ${unit}`]);
  return [["What", ""], ...rows];
}

interface Column {
  readonly heading: string;
  readonly program: ProgramName;
  readonly cell: (own: readonly Sample[], bare: readonly Sample[]) => string;
}

const seconds = (each: Sample) => each.processorSeconds;
const bytes = (each: Sample) => each.peakMemory ?? 0;
const requestsOf = (each: Sample) => each.requests;

const requests: Column["cell"] = (own) => range(own.map(requestsOf), 0);
const processor: Column["cell"] = (own, bare) =>
  `${ratio(own, bare, seconds)}${range(own.map(seconds), 2)} s`;
const memory: Column["cell"] = (own, bare) => {
  const peak = median(own.map(bytes));
  return peak === 0 ? "" : `${ratio(own, bare, bytes)}${(peak / 1e6).toFixed(0)} MB`;
};

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
  return [["Resources", "Run", ...columns.map(({ heading }) => heading)], ...rows];
}

/** `1.20x, ` of medians; empty where there is nothing to divide by. */
function ratio(own: readonly Sample[], bare: readonly Sample[], figure: (each: Sample) => number): string {
  const base = median(bare.map(figure));
  return base === 0 ? "" : `${(median(own.map(figure)) / base).toFixed(2)}x, `;
}

/** `3.21 (3.05..3.40)`, and `3.21` where all rounds agree. */
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
