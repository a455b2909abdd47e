/** One line of a short benchmark. */
export interface Figure {
  readonly what: string;
  readonly value: string;
}

/** A benchmark within this process. The one of the real CLI is in rounds.ts. */
export interface Benchmark {
  readonly name: string;
  run(options: { readonly quick: boolean }): Promise<Figure[]>;
}

/** Median of the times of several runs, in milliseconds; the first run warms up and does not count. */
export async function medianTime(runs: number, work: () => Promise<void> | void): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)]!;
}
