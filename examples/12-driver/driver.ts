/**
 * Previews or deploys every stack of a list, several at once, and reports them together:
 *
 *     npx tsx driver.ts preview|up [--list stacks.yaml] [--parallel 4] [--report report.md] [--unlock]
 *
 * Exits with 1 if a stack failed or was not begun. `.driver/journal` contains what an `up` has begun and finished, so that the next one
 * continues after a kill, Ctrl-C or a failure; it is removed once all stacks are done. With `--unlock`, it first cancels the updates
 * that a killed run had begun, which keep their stacks locked.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs, promisify } from "node:util";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { parse } from "yaml";

interface Entry {
  readonly team: string;
  readonly stack: string;
  readonly overlay?: Readonly<Record<string, unknown>>;
}

interface Outcome {
  readonly entry: Entry;
  /** One line, for the table. */
  readonly result: string;
  readonly failed?: boolean;
  /** Markdown, below the table. */
  readonly details?: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string", default: "stacks.yaml" },
    parallel: { type: "string", default: "4" },
    report: { type: "string", default: "report.md" },
    unlock: { type: "boolean", default: false },
  },
});
const [operation] = positionals;
if (operation !== "preview" && operation !== "up") throw new Error("usage: driver.ts preview|up");

const folder = ".driver";
const journal = `${folder}/journal`;
mkdirSync(folder, { recursive: true });

const run = promisify(execFile);
const program = readFileSync("index.ts");
/** Changes with the line of the list and with the program. */
const digestOf = (entry: Entry) =>
  createHash("sha256").update(program).update(JSON.stringify(entry)).digest("hex");

async function stackOf({ stack, overlay }: Entry): Promise<Stack> {
  const selected = await LocalWorkspace.createOrSelectStack({ stackName: stack, workDir: "." });
  if (overlay === undefined) await selected.removeConfig("overlay");
  else await selected.setConfig("overlay", { value: JSON.stringify(overlay) });
  return selected;
}

/** The summary of a preview, as a pull request shows it. */
async function preview(entry: Entry): Promise<Outcome> {
  const { name } = await stackOf(entry);
  const file = `${folder}/${name}.json`;
  const words = ["preview", "--json", "--show-sames", "--non-interactive", "--stack", name];
  let failed = false;
  // The Automation API has no preview in JSON.
  const shown = await run("pulumi", words, { maxBuffer: 2 ** 28 }).catch(
    (error: { readonly stdout: string }) => {
      failed = true;
      return error;
    },
  );
  writeFileSync(file, shown.stdout);
  // It reports a failed preview too, and then exits with 1.
  const summary = await run("npx", ["pulumi-deployment-service", "summary", file]).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => {
      failed = true;
      return { stdout: error.stdout || error.stderr };
    },
  );
  const [result = "", where = "", ...details] = summary.stdout.split("\n").filter((line) => line !== "");
  return { entry, result, failed, details: details.length === 0 ? "" : [where, "", ...details].join("\n") };
}

async function up(entry: Entry, wasBegun: boolean): Promise<Outcome> {
  const stack = await stackOf(entry);
  // It fails if nothing is locked.
  if (wasBegun && values.unlock) await stack.cancel().catch(() => undefined);
  appendFileSync(journal, `begun ${entry.stack}\n`);
  const { summary } = await stack.up({ color: "never" });
  appendFileSync(journal, `done ${entry.stack} ${digestOf(entry)}\n`);
  const counts = Object.entries(summary.resourceChanges ?? {}).map(([change, count]) => `${count} ${change}`);
  return { entry, result: counts.join(", ") };
}

/** What the CLI says about a failure, without the Automation API's own lines around it. */
function failureOf(entry: Entry, error: unknown): Outcome {
  const lines = String(error)
    .split("\n")
    .map((line) => line.trim());
  const reasons = [...new Set(lines.filter((line) => line.startsWith("error: ")))];
  const [result = lines[0] ?? ""] = reasons;
  return { entry, failed: true, result, details: `\`\`\`text\n${reasons.join("\n")}\n\`\`\`` };
}

async function main(): Promise<boolean> {
  const entries = parse(readFileSync(values.list, "utf8")) as readonly Entry[];
  const names = entries.map(({ stack }) => stack);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`${values.list} lists the stack ${twice} twice`);
  // The last line of a stack counts: what was finished before it was begun again is not.
  const lines = existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : [];
  const last = new Map(lines.map((line) => [line.split(" ")[1], line]));

  const outcomes = new Map<Entry, Outcome>();
  const queue = [...entries];
  // Ctrl-C reaches the commands that are running too: they end in good order.
  let isEnded = false;
  process.on("SIGINT", () => {
    isEnded = true;
    queue.splice(0);
  });
  const work = async () => {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      const { stack } = entry;
      const isDone = operation === "up" && last.get(stack) === `done ${stack} ${digestOf(entry)}`;
      const running = isDone
        ? Promise.resolve({ entry, result: "finished by an earlier run" })
        : operation === "up"
          ? up(entry, last.get(stack) === `begun ${stack}`)
          : preview(entry);
      const outcome = await running.catch((error: unknown) =>
        isEnded ? { entry: entry!, failed: true, result: "interrupted" } : failureOf(entry!, error),
      );
      outcomes.set(entry, outcome);
      process.stdout.write(`${outcomes.size} of ${entries.length}: ${entry.stack}: ${outcome.result}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, work));

  const all = entries.map((entry) => outcomes.get(entry) ?? { entry, failed: true, result: "not begun" });
  const isGood = all.every(({ failed = false }) => !failed);
  if (isGood) rmSync(journal, { force: true });
  writeFileSync(values.report, reportOf(all));
  return isGood;
}

function reportOf(outcomes: readonly Outcome[]): string {
  const row = ({ entry: { team, stack }, failed, result }: Outcome) =>
    `| ${team} | ${stack} | ${failed ? "**failed**: " : ""}${result.replaceAll("|", "\\|")} |`;
  const sections = outcomes.flatMap(({ entry, details = "" }) =>
    details.trim() === "" ? [] : [`\n## ${entry.stack}\n\n${details.trim()}\n`],
  );
  return ["| Team | Stack | Result |", "| --- | --- | --- |", ...outcomes.map(row), ...sections, ""].join(
    "\n",
  );
}

main().then(
  (isGood) => (process.exitCode = isGood ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
