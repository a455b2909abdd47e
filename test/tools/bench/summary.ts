/** The samples of all rounds, taken together. */
import { phases } from "./phases";
import { programNames, type ProgramName } from "./programs";
import type { Sample } from "./rounds";
import { ratioOf, spreadOf, type Spread } from "./statistics";

/** One program in one phase. */
export interface Summary {
  readonly count: number;
  readonly phase: string;
  readonly program: ProgramName;
  /** Medians against those of the bare program. */
  readonly processorRatio: number | undefined;
  readonly wallRatio: number | undefined;
  readonly memoryRatio: number | undefined;
  readonly stateRatio: number | undefined;
  readonly processorSeconds: Spread;
  readonly wallSeconds: Spread;
  readonly peakMemory: Spread | undefined;
  readonly stateBytes: Spread | undefined;
  /** By method; the median of the rounds is that of their sum. */
  readonly requests: Readonly<Record<string, Spread>>;
  readonly allRequests: Spread;
}

export const methods = ["GET", "POST", "PATCH", "DELETE"] as const;

export function summarize(samples: readonly Sample[]): Summary[] {
  const counts = [...new Set(samples.map(({ count }) => count))];
  return counts.flatMap((count) =>
    phases.flatMap(({ name: phase }) => {
      const of = (program: ProgramName) =>
        samples.filter((each) => each.count === count && each.phase === phase && each.program === program);
      const base = of("bare");
      return programNames.flatMap((program) => {
        const own = of(program);
        return own.length === 0 ? [] : [{ count, phase, program, ...compare(own, base) }];
      });
    }),
  );
}

function compare(
  own: readonly Sample[],
  base: readonly Sample[],
): Omit<Summary, "count" | "phase" | "program"> {
  const ratio = (figure: (sample: Sample) => number | undefined) =>
    ratioOf(spread(own, figure), spread(base, figure));
  return {
    processorRatio: ratio((sample) => sample.processorSeconds),
    wallRatio: ratio((sample) => sample.wallSeconds),
    memoryRatio: ratio((sample) => sample.peakMemory),
    stateRatio: ratio((sample) => sample.stateBytes),
    processorSeconds: spread(own, (sample) => sample.processorSeconds)!,
    wallSeconds: spread(own, (sample) => sample.wallSeconds)!,
    peakMemory: spread(own, (sample) => sample.peakMemory),
    stateBytes: spread(own, (sample) => sample.stateBytes),
    requests: Object.fromEntries(
      methods.map((method) => [method, spread(own, ({ requests }) => requests[method] ?? 0)!]),
    ),
    allRequests: spread(own, ({ requests }) => Object.values(requests).reduce((sum, each) => sum + each, 0))!,
  };
}

function spread(
  samples: readonly Sample[],
  figure: (sample: Sample) => number | undefined,
): Spread | undefined {
  return spreadOf(samples.map(figure).filter((value) => value !== undefined));
}
