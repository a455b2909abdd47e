/** What a run of the benchmark found. */
import { asLine, type Figure } from "./benchmark";
import { describeMachine, type Machine } from "./machine";
import type { Sample } from "./rounds";
import type { Summary } from "./summary";
import { asText } from "./table";
import { fullTable } from "./views";

export interface Report {
  readonly machine: Machine;
  /** By part. */
  readonly figures: Readonly<Record<string, readonly Figure[]>>;
  readonly summaries: readonly Summary[];
  readonly samples: readonly Sample[];
}

/** For a terminal. */
export function printed({ machine, figures, summaries }: Report): string {
  const parts = Object.entries(figures).map(([name, lines]) => {
    const width = Math.max(...lines.map(({ what }) => what.length));
    return `\n${name}\n${lines.map((line) => `  ${line.what.padEnd(width)}  ${asLine(line)}\n`).join("")}`;
  });
  const counts = [...new Set(summaries.map(({ count }) => count))];
  const tables = counts.map((count) => {
    const table = fullTable(summaries.filter((summary) => summary.count === count));
    const resources = count === 1 ? "resource" : "resources";
    return `\n${count} ${resources}; "x": times the bare program's\n\n${asText(table)}`;
  });
  return [`${describeMachine(machine)}\n`, ...parts, ...tables].join("");
}
