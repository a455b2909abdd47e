/** `npm run bench [NAME]`: how quick it is, and how many requests it takes. Figures, not tests. */
import type { Benchmark } from "./benchmark";
import { checkAndDiff } from "./check-and-diff";
import { engineRuns } from "./engine-runs";
import { manifest } from "./manifest";

const benchmarks: readonly Benchmark[] = [checkAndDiff, manifest, engineRuns];

async function main(wanted: string | undefined): Promise<void> {
  for (const { name, run } of benchmarks) {
    if (wanted !== undefined && wanted !== name) continue;
    process.stdout.write(`\n${name}\n`);
    const figures = await run();
    const width = Math.max(...figures.map(({ what }) => what.length));
    for (const { what, value } of figures) process.stdout.write(`  ${what.padEnd(width)}  ${value}\n`);
  }
}

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
