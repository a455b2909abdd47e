import { parseArgs } from "node:util";

export const parts = ["check-and-diff", "manifest", "runs"] as const;
export type Part = (typeof parts)[number];

export interface Options {
  readonly quick: boolean;
  readonly json: boolean;
  readonly write: boolean;
  readonly rounds: number;
  /** Numbers of resources. */
  readonly counts: readonly number[];
  readonly parts: readonly Part[];
}

export const usage = `npm run bench -- [--quick] [--json] [--write] [--only PART] [--rounds N] [--counts N,N]

  --quick   1 and 50 resources, one round, small manifests
  --json    every figure of every round, as JSON
  --write   also writes docs/performance.md and docs/pictures/growth.svg
  --only    ${parts.join(", ")}
  --rounds  how often each run is measured; 3
  --counts  numbers of resources; 1,10,100,1000
`;

/** Throws what is wrong with the arguments. Undefined where only the usage is wanted. */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string" },
      counts: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, json, write, only } = values;
  const wanted = parts.filter((part) => only === undefined || only === part);
  if (wanted.length === 0) throw new Error(`--only is one of ${parts.join(", ")}`);
  if (write && !wanted.includes("runs")) throw new Error("--write needs the part runs");
  return {
    quick,
    json,
    write,
    parts: wanted,
    rounds: wholeNumber("--rounds", values.rounds ?? (quick ? "1" : "3")),
    counts: (values.counts ?? (quick ? "1,50" : "1,10,100,1000"))
      .split(",")
      .map((count) => wholeNumber("--counts", count)),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name}: ${text} is not a whole number above zero`);
  return Number(text);
}
