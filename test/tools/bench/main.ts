/** `npm run bench`: how quick the package is, and how many requests it sends. Figures, not tests. */
import { execFileSync } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureLives, type Sample } from "./lives";
import { asText } from "./report";

const usage = `npm run bench -- [--quick] [--json] [--counts N,N] [--rounds N]

  --quick   small numbers, in about a minute
  --json    every figure of every round, as JSON
  --counts  numbers of resources; 1,10,100,1000
  --rounds  how often the life of each stack is measured; 5
The table of docs/performance.md: --counts 200,1000
`;

export interface Report {
  /** Where and when it was measured: no time means anything without it. */
  readonly machine: string;
  readonly samples: readonly Sample[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      counts: { type: "string" },
      rounds: { type: "string", default: "5" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const { quick } = values;
  const counts = (values.counts ?? (quick ? "1,20" : "1,10,100,1000")).split(",");
  const resources = counts.map((text) => numberOf("--counts", text));
  const rounds = quick ? 1 : numberOf("--rounds", values.rounds);
  const report: Report = {
    machine: await thisMachine(),
    samples: await measureLives(resources, rounds, tell),
  };
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : asText(report));
}

function numberOf(flag: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`${flag}: ${text} is not a whole number above zero`);
}

async function thisMachine(): Promise<string> {
  const { findEngine } = await import("../../engine/engine.mjs");
  const cli = execFileSync(join((await findEngine())?.folders[0] ?? "", "pulumi"), ["version"]);
  const system = `${process.platform} ${process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const date = new Date().toISOString().slice(0, 10);
  const versions = `Node.js ${process.versions.node}, Pulumi CLI ${cli.toString().trim()}`;
  return `${date}, ${availableParallelism()} cores, ${system}, ${versions}`;
}

/** On standard error: another program may read the report. */
function tell(text: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
