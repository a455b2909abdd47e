/** The figures as Markdown tables, for a terminal and for docs/performance.md. */
import { setting, type Sample } from "./lives";
import type { Report } from "./main";
import type { Figure } from "./parts";
import { programNames, type ProgramName } from "./programs";

export function asText({ machine, figures, samples }: Report): string {
  const rounds = Math.max(0, ...samples.map(({ round }) => round));
  const lines = [
    machine,
    setting,
    `Medians of ${rounds} rounds; in brackets the lowest and the highest value.`,
  ];
  const head = rounds === 0 ? machine : lines.join("\n");
  const tables = [runRows(samples), ratioRows(samples), figureRows(figures)].flatMap(tableOf);
  return `${[head, ...tables].join("\n\n")}\n`;
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
  readonly cell: (own: readonly Sample[]) => string;
}

const seconds = (each: Sample) => each.processorSeconds;
const bytes = (each: Sample) => each.peakMemory ?? 0;
const requestsOf = (each: Sample) => each.requests;

const requests: Column["cell"] = (own) => range(own.map(requestsOf), 0);
const wallClock: Column["cell"] = (own) =>
  `${range(
    own.map(({ wallSeconds }) => wallSeconds),
    1,
  )} s`;
const processor: Column["cell"] = (own) => `${range(own.map(seconds), 1)} s`;
const memory: Column["cell"] = (own) => {
  const peak = median(own.map(bytes));
  return peak === 0 ? "" : `${(peak / 1e6).toFixed(0)} MB`;
};

const cells = { Requests: requests, Time: wallClock, "Processor time": processor, Memory: memory };

/** The table of docs/performance.md. */
const columns = Object.entries(cells).flatMap(([heading, cell]): Column[] => [
  { heading, program: "package", cell },
  { heading: `${heading}, conventional`, program: "conventional", cell },
]);

/** A row for each number of resources and run. */
function runRows(samples: readonly Sample[]): string[][] {
  const rows = placesOf(samples).map(({ count, run, of }) => [
    String(count),
    run,
    ...columns.map(({ program, cell }) => (of(program).length === 0 ? "" : cell(of(program)))),
  ]);
  return [["Resources", "Run", ...columns.map(({ heading }) => heading)], ...rows];
}

/** How the programs compare with one whose resources do nothing. */
function ratioRows(samples: readonly Sample[]): string[][] {
  const programs = programNames.filter((name) => name !== "bare");
  const rows = placesOf(samples).flatMap(({ count, run, of }) => {
    if (of("bare").length === 0) return [];
    const cellOf = (name: ProgramName, figure: (each: Sample) => number) =>
      of(name).length === 0 ? "" : ratio(of(name), of("bare"), figure);
    const all = [seconds, bytes].flatMap((figure) => programs.map((name) => cellOf(name, figure)));
    return [[String(count), run, ...all]];
  });
  const headings = ["Processor time", "Memory"].flatMap((what) =>
    programs.map((name) => `${what}, ${name} to bare`),
  );
  return [["Resources", "Run", ...headings], ...rows];
}

function placesOf(samples: readonly Sample[]) {
  const first = samples[0]?.program;
  return samples
    .filter(({ program, round }) => program === first && round === 1)
    .map(({ count, run }) => ({
      count,
      run,
      of: (name: ProgramName) =>
        samples.filter((each) => each.count === count && each.run === run && each.program === name),
    }));
}

/** `1.20x` of medians; empty where there is nothing to divide by. */
function ratio(own: readonly Sample[], bare: readonly Sample[], figure: (each: Sample) => number): string {
  const base = median(bare.map(figure));
  return base === 0 ? "" : `${(median(own.map(figure)) / base).toFixed(2)}x`;
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
