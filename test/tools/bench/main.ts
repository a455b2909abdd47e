/** `npm run bench`: how quick it is, and how many requests it takes. Figures, not tests. */
import type { Figure } from "./benchmark";
import { checkAndDiff } from "./check-and-diff";
import { describeMachine, thisMachine, type Machine } from "./machine";
import { manifest } from "./manifest";
import { parseOptions, usage, type Options } from "./options";
import { runRounds, type Sample } from "./rounds";
import { summarize, type Summary } from "./summary";
import { asText } from "./table";
import { fullTable } from "./views";
import { writeDocuments } from "./write";

interface Report {
  readonly machine: Machine;
  readonly figures: Readonly<Record<string, readonly Figure[]>>;
  readonly summaries: readonly Summary[];
  readonly samples: readonly Sample[];
}

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (options === undefined) return void process.stdout.write(usage);
  const report = await measure(options);
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else print(report);
  if (options.write) {
    const files = await writeDocuments(report.summaries, report.machine, options.rounds);
    tell(`wrote ${files.join(" and ")}`);
  }
}

async function measure({ quick, parts, counts, rounds }: Options): Promise<Report> {
  const machine = await thisMachine();
  const figures: Record<string, Figure[]> = {};
  for (const { name, run } of [checkAndDiff, manifest].filter(({ name }) =>
    parts.some((part) => part === name),
  )) {
    tell(name);
    figures[name] = await run({ quick });
  }
  const samples = parts.includes("runs") ? await runRounds({ counts, rounds, tell }) : [];
  return { machine, figures, summaries: summarize(samples), samples };
}

function print({ machine, figures, summaries }: Report): void {
  process.stdout.write(`${describeMachine(machine)}\n`);
  for (const [name, lines] of Object.entries(figures)) {
    const width = Math.max(...lines.map(({ what }) => what.length));
    process.stdout.write(`\n${name}\n`);
    for (const { what, value } of lines) process.stdout.write(`  ${what.padEnd(width)}  ${value}\n`);
  }
  for (const count of new Set(summaries.map((summary) => summary.count))) {
    const table = fullTable(summaries.filter((summary) => summary.count === count));
    process.stdout.write(
      `\n${count} ${count === 1 ? "resource" : "resources"}; "x": times the bare program's\n\n`,
    );
    process.stdout.write(asText(table));
  }
}

/** Beside the report, which may be read by a program. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
