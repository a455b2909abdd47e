/** `npm run bench`: how quick the package is, and how many requests it sends. Figures, not tests. */
import { execFileSync } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureLives, type Sample } from "./lives";
import { parts, type Figure } from "./parts";
import { programNames } from "./programs";
import { asText } from "./report";

const all = [...Object.keys(parts), "runs"];

const usage = `npm run bench -- [--quick] [--json] [--only PART,PART] [--counts N,N] [--rounds N] [--programs NAME,NAME]

  --quick   small numbers, in about a minute
  --json    every figure of every round, as JSON
  --only    ${all.join(", ")}
  --counts  numbers of resources; 1,10,100,1000
  --rounds  how often the life of each stack is measured; 5
  --programs  ${programNames.join(",")}
The table of docs/performance.md: --only runs --counts 200,1000 --programs package,conventional
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
      only: { type: "string", default: all.join(",") },
      counts: { type: "string" },
      rounds: { type: "string", default: "5" },
      programs: { type: "string", default: programNames.join(",") },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const { quick } = values;
  const wanted = values.only.split(",");
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`--only: ${unknown} is not one of ${all.join(", ")}`);
  const counts = (values.counts ?? (quick ? "1,20" : "1,10,100,1000")).split(",");
  const resources = counts.map((text) => numberOf("--counts", text));
  const rounds = quick ? 1 : numberOf("--rounds", values.rounds);
  const programs = values.programs.split(",").map((text) => {
    const name = programNames.find((each) => each === text);
    if (name === undefined) throw new Error(`--programs: ${text} is not one of ${programNames.join(", ")}`);
    return name;
  });

  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (!wanted.includes(name)) continue;
    tell(name);
    figures.push(...measure(quick));
  }
  const samples = wanted.includes("runs") ? await measureLives(resources, rounds, programs, tell) : [];
  const report: Report = { machine: await thisMachine(), figures, samples };
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
