/** What a reader sees of the summaries. */
import type { Spread } from "./statistics";
import { methods, type Summary } from "./summary";
import type { ProgramName } from "./programs";
import type { Table } from "./table";

const none = "";

/** Everything that was measured with one number of resources, the ratios first. */
export function fullTable(summaries: readonly Summary[]): Table {
  return {
    left: 2,
    headings: [
      "phase",
      "program",
      "processor",
      "wall",
      "memory",
      "state",
      "processor s",
      "wall s",
      "memory MB",
      "state B",
      ...methods,
    ],
    rows: summaries.map((each, index) => [
      each.phase === summaries[index - 1]?.phase ? "" : each.phase,
      each.program,
      times(each.processorRatio),
      times(each.wallRatio),
      times(each.memoryRatio),
      times(each.stateRatio),
      range(each.processorSeconds, 2),
      range(each.wallSeconds, 2),
      range(each.peakMemory, 0, 1e6),
      range(each.stateBytes, 0),
      ...methods.map((method) => range(each.requests[method], 0)),
    ]),
  };
}

/** What a document shows: a row for each phase. */
export function shortTable(summaries: readonly Summary[]): Table {
  const phases = summaries.filter(({ program }) => program === "bare");
  const of = (program: ProgramName, { count, phase }: Summary) =>
    summaries.find((each) => each.program === program && each.count === count && each.phase === phase);
  const columns = figures.flatMap(({ figure, programs, cell }) =>
    programs.map((program) => ({
      heading: program === "package" ? figure : `${figure}, ${program.replace("-", " ")}`,
      cellOf: (bare: Summary) => {
        const summary = of(program, bare);
        return summary === undefined ? none : cell(summary);
      },
    })),
  );
  return {
    left: 2,
    headings: ["Resources", "Run", ...columns.map(({ heading }) => heading)],
    rows: phases.map((bare) => [
      String(bare.count),
      bare.phase,
      ...columns.map(({ cellOf }) => cellOf(bare)),
    ]),
  };
}

interface Shown {
  readonly figure: string;
  readonly programs: readonly ProgramName[];
  readonly cell: (summary: Summary) => string;
}

const figures: readonly Shown[] = [
  {
    figure: "Requests",
    programs: ["package", "conventional"],
    cell: ({ allRequests }) => range(allRequests, 0),
  },
  {
    figure: "Processor time",
    programs: ["package", "equal-state", "conventional"],
    cell: ({ processorRatio, processorSeconds }) =>
      [times(processorRatio), `${range(processorSeconds, 2)} s`].filter((part) => part !== none).join(", "),
  },
  {
    figure: "Memory",
    programs: ["package", "conventional"],
    cell: ({ memoryRatio, peakMemory }) =>
      [times(memoryRatio), peakMemory && `${(peakMemory.median / 1e6).toFixed(0)} MB`]
        .filter(Boolean)
        .join(", "),
  },
];

function times(ratio: number | undefined): string {
  return ratio === undefined ? none : `${ratio.toFixed(2)}x`;
}

/** "3.21 (3.05..3.40)", and "3.21" where all rounds say the same. */
function range(spread: Spread | undefined, digits: number, unit = 1): string {
  if (spread === undefined) return none;
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) =>
    (value / unit).toFixed(digits),
  );
  return min === max ? median! : `${median} (${min}..${max})`;
}
