/** The page about the table, made from the table. */
import { rules } from "./exceptions";
import { faults, type Fault } from "./faults";
import { lawOf } from "./laws";
import { operations, type Operation } from "./operations";
import { cases, casesOf, exceptions, type FaultCase } from "./table";

const letters: Readonly<Record<Operation["held"], readonly [letter: string, place: string]>> = {
  engine: ["E", "by the real CLI and its engine"],
  process: ["P", "at the boundary of the provider process, driven as the engine drives it"],
  program: ["F", "in a program that the real CLI runs: functions ask by themselves"],
  command: ["C", "by the command, run in the test's own process"],
};

export function faultsPage(): string {
  return [
    "# Everything that is done, times everything that goes wrong",
    "",
    "Made from `operations.ts`, `faults.ts`, `laws.ts` and `exceptions.ts` by `npm run generate`; a test holds it up to date.",
    "Every cell that is marked with a letter is a test: one that fails makes the run fail.",
    "",
    ...numbers(),
    "",
    "## What holds",
    "",
    ...laws.map((law) => `- ${law}`),
    "",
    "## What is held where",
    "",
    ...Object.entries(letters).map(
      ([held, [letter, place]]) => `- ${letter}: ${place} (${count(held)} cases)`,
    ),
    "",
    `${packagedIn("engine").length} cases of the engine are the packaged provider's, in the same runs: ${titlesOf("engine")}, with every fault; ` +
      `so are ${packagedIn("process").length} at the process: ${titlesOf("process")}, with one fault of each kind.`,
    "",
    "A small letter is an operation that fails while the fault lasts; a number is an exception, with its reason below.",
    "",
    ...matrix(),
    "",
    "## What is not tried, and why",
    "",
    ...rules.map(
      ({ reason }, at) =>
        `${at + 1}. ${reason} (${exceptions.filter((each) => each.reason === reason).length} cases)`,
    ),
    "",
    "## How a run holds so many",
    "",
    ...how,
    "",
  ].join("\n");
}

const laws = [
  "The service never has a second deployment, and no more and no less than the work that was done.",
  "The state holds what the service has made, with its id, and keeps what it held where an operation failed.",
  "No secret is in a state in clear, on a screen or in an error, although the service echoes them.",
  "Who reads an error reads the deployment, the operation, the request, the status, the service's own words, and a way out; no stack trace, and nothing that a terminal obeys.",
  "When the fault is over, one `up` makes everything as declared, with `refresh` before it where the message asks for it, and a preview after it finds nothing to do.",
  "What sends no request sends none whatever is wrong.",
];

const how = [
  "One `up` makes all that is there before; then all faults begin, one `up --continue-on-error` runs every operation, and one repairs.",
  "A fault hits the requests of its own case, told apart by the name or the id, so that all cases share one service and one connection.",
  "Reads of one connection share their requests: there, each fault has a provider process of its own.",
];

function numbers(): string[] {
  const rows = [
    ["Operations", operations.length],
    ["Faults", faults.length],
    ["Cells that are run", cases.length],
    ["Exceptions", exceptions.length],
  ];
  return ["| | |", "|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)];
}

function count(held: string): number {
  return cases.filter((faultCase) => faultCase.held === held).length;
}

function packagedIn(held: Operation["held"]): readonly FaultCase[] {
  return casesOf(held).filter(({ adapter }) => adapter === "packaged");
}

function titlesOf(held: Operation["held"]): string {
  return [...new Set(packagedIn(held).map(({ operation }) => operation.title))].join(", ");
}

function matrix(): string[] {
  const head = ["", ...operations.map(({ title }) => title)];
  const rows = faults.map((fault) => [fault.title, ...operations.map((operation) => mark(operation, fault))]);
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
}

function mark(operation: Operation, fault: Fault): string {
  const faultCase = cases.find((each) => each.operation === operation && each.fault === fault);
  if (faultCase !== undefined) {
    const [letter] = letters[faultCase.held];
    return lawOf(operation, fault).ends === "well" ? letter : letter.toLowerCase();
  }
  const { reason } = exceptions.find((each) => each.operation === operation && each.fault === fault)!;
  return String(rules.findIndex((rule) => rule.reason === reason) + 1);
}
