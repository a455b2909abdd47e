import { spreadOf } from "./statistics";

/** One line of a short benchmark. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** `ms`, or `x` for a ratio. */
  readonly unit: string;
  /** What it is not to exceed. */
  readonly atMost?: number;
  /** What else there is to say of it. */
  readonly note?: string;
}

export interface Run {
  /** Small numbers, in seconds. */
  readonly quick: boolean;
  /** What is done next. */
  readonly tell: (text: string) => void;
}

/** A benchmark of one thing. That of the life of a stack is in rounds.ts. */
export interface Benchmark {
  readonly name: string;
  run(options: Run): Promise<Figure[]>;
}

export function asLine({ value, unit, atMost, note }: Figure): string {
  const goal = atMost === undefined ? "" : ` (at most ${shown(atMost)})`;
  return `${shown(value)} ${unit}${goal}${note === undefined ? "" : `, ${note}`}`;
}

/** Three digits, or as many as there are before the point. */
function shown(value: number): string {
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
}

/** Median of what several runs measure, the programs one after the other in each. */
export async function medians<Name extends string>(
  runs: number,
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let run = 0; run < runs; run++) {
    for (const name of names) all[name].push(await measures[name]());
  }
  const median = (name: Name) => spreadOf(all[name])!.median;
  return Object.fromEntries(names.map((name) => [name, median(name)])) as Record<Name, number>;
}

/** Median of the times of several runs, in milliseconds; the first run warms up and does not count. */
export async function medianTime(runs: number, work: () => Promise<void> | void): Promise<number> {
  await work();
  const time = async () => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  return (await medians(runs, { time })).time;
}
