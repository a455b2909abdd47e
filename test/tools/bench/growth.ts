import type { Chart, Point } from "./picture";
import { refresh, unchangedPreview } from "./phases";
import { programNames } from "./programs";
import type { Summary } from "./summary";

/** The two costs that must not run away: what a preview computes, and what a refresh asks the service for. */
export function growth(summaries: readonly Summary[]): readonly [Chart, Chart] {
  const chart = (title: string, phase: string, cost: (summary: Summary) => number): Chart => ({
    title,
    lines: programNames.map((program) => ({
      program,
      points: summaries
        .filter((each) => each.phase === phase && each.program === program)
        .map((each): Point => [each.count, cost(each)]),
    })),
  });
  return [
    chart(
      "Preview without a change: seconds of processor time",
      unchangedPreview,
      (each) => each.processorSeconds.median,
    ),
    chart("Refresh: requests", refresh, (each) => each.allRequests.median),
  ];
}
