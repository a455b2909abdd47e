/** The command `summary`: a preview as Markdown, as text, or as JSON. */
import { toMarkdown } from "../summary/markdown";
import { readPreviews } from "../summary/preview";
import type { ValueChange } from "../summary/changes";
import type { DeploymentChange } from "../summary/deployment-change";
import { summaryOf, type Summary } from "../summary/summary";
import {
  actionText,
  changeText,
  originLine,
  headlineText,
  originOf,
  othersText,
  totalText,
  type Origin,
  type ValueFormat,
} from "../summary/phrases";
import { jsonOf, longestText, sanitize } from "../../provider/text/sanitize";
import { exitCodes, FileError, type Command, type Io } from "../command";
import { formatIn } from "../parse-arguments";
import { readInput } from "../files/manifest-file";
import { wrap } from "../terminal/table";

export const summaryCommand: Command = {
  name: "summary",
  summary: "Summarize a preview's changes to deployments, for a pull request",
  positionals: ["[FILE]"],
  flags: [
    { name: "format", value: "FORMAT", doc: "Output format", choices: ["markdown", "text", "json"] },
    { name: "expect-no-drift", doc: "Exit with 1 if something was, or may have been, changed by hand" },
  ],
  examples: {
    "pulumi preview --json | npx pulumi-deployment-service summary": "Markdown, from standard input",
    "pulumi preview --json --show-sames | npx pulumi-deployment-service summary":
      "count unchanged deployments separately from other resources",
    "npx pulumi-deployment-service summary preview.json --format text": "from a file, for a terminal",
    "pulumi refresh --preview-only --json | npx pulumi-deployment-service summary --expect-no-drift":
      "list what was changed by hand since the last update",
  },
  async run(args, io) {
    const [file = "-"] = args.positionals;
    const format = formatIn(args, "markdown");
    const { previews, problem } = readPreviews(await readInput(file, io));
    const found = previews.map((each) => summaryOf(each, io.env));
    const origin = originOf(io.env, io.now());
    const message = problem && `${file === "-" ? "standard input" : sanitize(file)} ${problem}`;
    // A program needs valid JSON of everything, or nothing. A person sees what there is, and what is wrong with the rest.
    if (format !== "json" || message === undefined) {
      const shown = found.length === 0 ? "" : formatSummaries(found, origin, format, io);
      io.stdout.write([shown, message && `${message}\n`].filter(Boolean).join("\n"));
    }
    if (message !== undefined) throw new FileError(message);
    const isWrong = args.switches.has("expect-no-drift") ? mayHaveDrift : hasFailed;
    return found.some(isWrong) ? exitCodes.problems : exitCodes.done;
  },
};

function hasFailed({ failures }: Summary): boolean {
  return failures.length > 0;
}

/** What was not read, or is counted and not listed, may be drift. */
function mayHaveDrift(summary: Summary): boolean {
  const { changedByHand, unexplained } = summary;
  return changedByHand.length > 0 || Object.keys(unexplained).length > 0 || hasFailed(summary);
}

function formatSummaries(summaries: readonly Summary[], origin: Origin, format: string, io: Io): string {
  if (format === "markdown") return toMarkdown(summaries, origin);
  const isOne = summaries.length === 1;
  if (format === "text") {
    const sections = summaries.map((each) => toText(each, origin, io));
    return [...(isOne ? [] : [`${totalText(summaries)}\n`]), ...sections].join("\n");
  }
  const objects = summaries.map((each) => ({ headline: headlineText(each), ...each }));
  return jsonOf(isOne ? objects[0] : { headline: totalText(summaries), previews: objects });
}

function toText(summary: Summary, origin: Origin, { columns = 0 }: Io): string {
  const { deployments, failures, warnings, changedByHand } = summary;
  const item = (name: string, what: string, reasons: readonly string[]) =>
    [`${sanitize(name)}: ${what}`, ...reasons.flatMap((each) => linesOf(each, columns || Infinity))].join(
      "\n",
    );
  const note = (kind: string) => (each: Summary["failures"][number]) => {
    const message = each.message.split(/\r?\n/).map((line) => sanitize(line, Infinity));
    return `${kind}${each.name === undefined ? "" : ` (${sanitize(each.name)})`}: ${message.join("\n  ")}`;
  };
  const parts = [
    [headlineText(summary), sanitize(originLine(summary, origin))],
    deployments.map((each) => item(each.name, actionText(each), reasonsOf(each))),
    changedByHand.map((each) =>
      item(each.name, each.isDeleted ? "deleted by hand" : "changed by hand (declared => there)", [
        ...each.changes.map((change) => lineOf(change, false)),
      ]),
    ),
    [...failures.map(note("error")), ...warnings.map(note("warning"))],
    [othersText(summary) ?? ""],
  ];
  return parts
    .map((lines) => lines.filter(Boolean).join("\n"))
    .filter(Boolean)
    .map((part) => `${part}\n`)
    .join("\n");
}

/** A reason on lines of its own, so that a narrow terminal hides no part of it. */
function linesOf(reason: string, width: number): string[] {
  return wrap(sanitize(reason, longestText), width - 4).map(
    (line, index) => `${index === 0 ? "  " : "    "}${line}`,
  );
}

function reasonsOf({ action, changes, notes }: DeploymentChange): readonly string[] {
  const lines = changes.map((change) => lineOf(change, action === "creation"));
  return [...lines, ...notes];
}

function lineOf(change: ValueChange, isNew: boolean): string {
  return `${change.path}: ${changeText(change, values, isNew)}`;
}

const values: ValueFormat = { show: (text) => text, arrow: "=>", limit: 80 };
