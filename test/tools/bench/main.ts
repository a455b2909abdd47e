/** `npm run bench`: how quick it is, and how many requests it takes. Figures, not tests. */
import type { Figure } from "./benchmark";
import { benchmarks } from "./benchmarks";
import { thisMachine } from "./machine";
import { parseOptions, usage, type Options } from "./options";
import { printed, type Report } from "./report";
import { runRounds } from "./rounds";
import { summarize } from "./summary";
import { writeDocuments } from "./write";

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (options === undefined) return void process.stdout.write(usage);
  const report = await measure(options);
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : printed(report));
  if (options.write) tell(`wrote ${(await writeDocuments(report)).join(" and ")}`);
}

async function measure({ quick, parts, counts, roundsOf }: Options): Promise<Report> {
  const machine = await thisMachine();
  const isWanted = (name: string) => parts.some((part) => part === name);
  const figures: Record<string, Figure[]> = {};
  for (const { name, run } of benchmarks.filter(({ name }) => isWanted(name))) {
    figures[name] = await run({ quick, tell: (text) => tell(`${name}: ${text}`) });
  }
  const samples = isWanted("runs") ? await runRounds({ counts, roundsOf, tell }) : [];
  return { machine, figures, summaries: summarize(samples), samples };
}

const began = performance.now();

/** Beside the report, which may be read by a program. */
function tell(text: string): void {
  const seconds = (performance.now() - began) / 1000;
  process.stderr.write(`${seconds.toFixed(0).padStart(5)} s  ${text}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
