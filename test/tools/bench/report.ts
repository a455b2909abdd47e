/** The figures as a Markdown table, for a terminal and for docs/performance.md. */
import { setting, type Sample } from "./lives";
import type { Report } from "./main";
import { programNames, type ProgramName } from "./programs";

export function asText({ machine, samples }: Report): string {
  const rounds = Math.max(0, ...samples.map(({ round }) => round));
  const medians = `Medians of ${rounds} rounds; in brackets the lowest and the highest value.`;
  return `${[machine, setting, medians].join("\n")}\n\n${tableOf(rowsOf(samples))}\n`;
}

function tableOf([headings = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = headings.map((_, at) => Math.max(3, ...[headings, ...rows].map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  return [line(headings), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** What a cell shows of a program's samples of one run. */
const cells: Readonly<Record<string, (own: readonly Sample[]) => string>> = {
  Requests: (own) =>
    range(
      own.map(({ requests }) => requests),
      0,
    ),
  Time: (own) =>
    `${range(
      own.map(({ wallSeconds }) => wallSeconds),
      1,
    )} s`,
  "Processor time": (own) =>
    `${range(
      own.map(({ processorSeconds }) => processorSeconds),
      1,
    )} s`,
  Memory: (own) => {
    const peak = median(own.map(({ peakMemory = 0 }) => peakMemory));
    return peak === 0 ? "" : `${(peak / 1e6).toFixed(0)} MB`;
  },
};

/** A row for each number of resources and run. */
function rowsOf(samples: readonly Sample[]): string[][] {
  const headings = Object.keys(cells).flatMap((heading) =>
    programNames.map((name) => (name === "package" ? heading : `${heading}, ${name}`)),
  );
  const first = samples.filter(({ program, round }) => program === programNames[0] && round === 1);
  const rows = first.map(({ count, run }) => {
    const of = (name: ProgramName) =>
      samples.filter((each) => each.count === count && each.run === run && each.program === name);
    const shown = Object.values(cells).flatMap((cell) => programNames.map((name) => cell(of(name))));
    return [String(count), run, ...shown];
  });
  return [["Resources", "Run", ...headings], ...rows];
}

/** `3.21 (3.05..3.40)`, and `3.21` where all rounds agree. */
function range(values: readonly number[], places: number): string {
  const [middle, min, max] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(places),
  );
  return min === max ? middle! : `${middle} (${min}..${max})`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
