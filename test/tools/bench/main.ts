/** `npm run bench`: how quick it is, and how many requests it takes. Figures, not tests. */
import { execFileSync } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { many, measureLives, type Sample } from "./lives";
import { parts, type Figure } from "./parts";
import { asText, write } from "./report";

const usage = `npm run bench -- [--quick] [--json] [--write] [--only PART,PART] [--rounds N] [--counts N,N]

  --quick   small numbers, in about a minute
  --json    every figure of every round, as JSON
  --write   also writes docs/performance.md
  --only    ${Object.keys(parts).join(", ")}, runs
  --rounds  how often each run is measured; 3, and once for ${many} resources
  --counts  numbers of resources; 1,10,100,1000
`;

export interface Report {
  /** Where and when it was measured: no time means anything without it. */
  readonly machine: string;
  readonly figures: readonly Figure[];
  readonly samples: readonly Sample[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      only: { type: "string", default: [...Object.keys(parts), "runs"].join(",") },
      rounds: { type: "string" },
      counts: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const { quick } = values;
  const wanted = values.only.split(",");
  const unknown = wanted.find((name) => name !== "runs" && !Object.hasOwn(parts, name));
  if (unknown !== undefined)
    throw new Error(`--only: ${unknown} is not one of ${Object.keys(parts).join(", ")}, runs`);
  if (values.write && !wanted.includes("runs")) throw new Error("--write needs the part runs");
  const rounds = values.rounds === undefined ? undefined : wholeNumber("--rounds", values.rounds);
  const roundsOf = (count: number) => rounds ?? (quick || count >= many ? 1 : 3);
  const counts = (values.counts ?? (quick ? "1,20" : "1,10,100,1000")).split(",");
  const resources = counts.map((count) => wholeNumber("--counts", count));

  const machine = await thisMachine();
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (!wanted.includes(name)) continue;
    tell(name);
    figures.push(...(await measure(quick)));
  }
  const samples = wanted.includes("runs") ? await measureLives(resources, roundsOf, tell) : [];
  const report: Report = { machine, figures, samples };
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : asText(report));
  if (values.write) tell(`wrote ${await write(report)}`);
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name}: ${text} is not a whole number above zero`);
  return Number(text);
}

async function thisMachine(): Promise<string> {
  const { findEngine } = await import("../../engine/engine.mjs");
  const engine = await findEngine();
  if (engine === undefined) throw new Error("There is no Pulumi CLI yet. Run: node test/setup.mjs");
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" };
  const cli = execFileSync(join(engine.folders[0] ?? "", "pulumi"), ["version"], { encoding: "utf8", env });
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  const system = `${process.platform} ${process.arch}, Node.js ${process.versions.node}, Pulumi CLI ${cli.trim()}`;
  return `${date}, ${availableParallelism()} cores, ${memory} GiB, ${system}`;
}

/** On standard error: another program may read the report. */
function tell(text: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
