import { parseArgs } from "node:util";

export const parts = [
  "start",
  "check-and-diff",
  "manifest",
  "from-manifest",
  "rate-limit",
  "engine-slots",
  "runs",
] as const;
export type Part = (typeof parts)[number];

export interface Options {
  readonly quick: boolean;
  readonly json: boolean;
  readonly write: boolean;
  /** How often each number of resources is measured. */
  readonly roundsOf: (count: number) => number;
  /** Numbers of resources. */
  readonly counts: readonly number[];
  readonly parts: readonly Part[];
}

export const usage = `npm run bench -- [--quick] [--json] [--write] [--only PART,PART] [--rounds N] [--counts N,N]

  --quick   small numbers, in about a minute
  --json    every figure of every round, as JSON
  --write   also writes docs/performance.md and docs/pictures/growth.svg
  --only    ${parts.join(", ")}
  --rounds  how often each run is measured; 3, and once for 1000 resources
  --counts  numbers of resources; 1,10,100,1000
`;

/** From so many resources on, once has to do, and the engine does not write the state after each step: that would be most of a run. */
export const many = 1000;

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
  const { quick, json, write } = values;
  const wanted = values.only === undefined ? [...parts] : values.only.split(",").map(partNamed);
  if (write && !wanted.includes("runs")) throw new Error("--write needs the part runs");
  const rounds = values.rounds === undefined ? undefined : wholeNumber("--rounds", values.rounds);
  return {
    quick,
    json,
    write,
    parts: wanted,
    roundsOf: (count) => rounds ?? (quick || count >= many ? 1 : 3),
    counts: (values.counts ?? (quick ? "1,20" : "1,10,100,1000"))
      .split(",")
      .map((count) => wholeNumber("--counts", count)),
  };
}

function partNamed(name: string): Part {
  const part = parts.find((each) => each === name);
  if (part === undefined) throw new Error(`--only: ${name} is none of ${parts.join(", ")}`);
  return part;
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name}: ${text} is not a whole number above zero`);
  return Number(text);
}
