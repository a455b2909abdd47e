import { toMarkdown } from "../summary/markdown";
import { readPreviews } from "../summary/preview";
import { secretMark } from "../summary/secret";
import type { DeploymentChange } from "../summary/deployment-change";
import type { DriftedDeployment } from "../summary/drift";
import { summaryOf, type Summary } from "../summary/summary";
import {
  actionText,
  downText,
  excerpts,
  keepText,
  originLine,
  headlineText,
  originOf,
  othersText,
  totalText,
  type Origin,
} from "../summary/phrases";
import { jsonOf, sanitize } from "../text/sanitize";
import { exitCodes, FileError, type Command, type Io } from "./command";
import { formatIn } from "./command-line";
import { readInput } from "./manifest-file";
import { blank, table, type Column } from "./columns";

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
    const found = previews.map(summaryOf);
    const origin = originOf(io.env, io.now());
    const message = problem && `${file === "-" ? "standard input" : sanitize(file)} ${problem}`;
    // A program needs valid JSON of everything, or nothing. A person sees what there is, and what is wrong with the rest.
    if (format !== "json" || message === undefined) {
      const shown = found.length === 0 ? "" : formatSummaries(found, origin, format, io);
      io.stdout.write([shown, message && `${message}\n`].filter(Boolean).join("\n"));
    }
    if (message !== undefined) throw new FileError(message);
    const isUnexpected = args.switches.has("expect-no-drift") && found.some(hasDrift);
    return isUnexpected ? exitCodes.problems : exitCodes.done;
  },
};

/** What the engine counts and does not list may be drift. */
function hasDrift({ changedByHand, unexplained }: Summary): boolean {
  return changedByHand.length > 0 || Object.keys(unexplained).length > 0;
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

/** A line of a table. The lines after a deployment's first one only hold another reason. */
interface Line<T> {
  readonly first: T | undefined;
  readonly reason: string | undefined;
}

const columns: readonly Column<Line<DeploymentChange>>[] = [
  { heading: "DEPLOYMENT", text: ({ first }) => (first ? first.name : blank), least: 12 },
  {
    heading: "WHAT",
    text: ({ first }) =>
      first ? `${actionText(first)}${first.isDownMeanwhile ? ` (${downText})` : ""}` : blank,
  },
  { heading: "WHY", text: ({ reason }) => reason, least: 20 },
];

const driftColumns: readonly Column<Line<DriftedDeployment>>[] = [
  { heading: "CHANGED BY HAND", text: ({ first }) => (first ? first.name : blank), least: 12 },
  {
    heading: "DECLARED => THERE",
    text: ({ first, reason }) => (first?.isDeleted ? "deleted" : reason),
    least: 20,
  },
];

type Changed = Pick<DeploymentChange, "changes"> & Partial<Pick<DeploymentChange, "action" | "demand">>;

/** A line for each reason, so that a narrow terminal hides none of them. */
function linesOf<T extends Changed>(each: readonly T[]): Line<T>[] {
  return each.flatMap((one) => {
    const [reason, ...more] = [
      ...reasonsOf(one),
      ...(one.demand?.text === undefined ? [] : [one.demand.text]),
    ];
    return [{ first: one, reason }, ...more.map((other) => ({ first: undefined, reason: other }))];
  });
}

function toText(summary: Summary, origin: Origin, { columns: width }: Io): string {
  const { deployments, failures, warnings, changedByHand } = summary;
  const note = (kind: string) => (each: Summary["failures"][number]) => {
    const message = each.message.split(/\r?\n/).map((line) => sanitize(line, Infinity));
    return `${kind}${each.name === undefined ? "" : ` (${sanitize(each.name)})`}: ${message.join("\n  ")}\n`;
  };
  const parts = [
    `${headlineText(summary)}\n${sanitize(originLine(summary, origin))}\n`,
    deployments.length > 0 ? table(linesOf(deployments), columns, width) : "",
    changedByHand.length > 0 ? table(linesOf(changedByHand), driftColumns, width) : "",
    [...failures.map(note("error")), ...warnings.map(note("warning"))].join(""),
    summary.total?.text?.concat("\n") ?? "",
    othersText(summary)?.concat("\n") ?? "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function reasonsOf({ action, changes }: Changed): readonly string[] {
  if (action === "deletion") return keepText;
  return changes.map(({ path, change, before, after }) => {
    if (before === secretMark || after === secretMark) return `${path}: secret ${change}`;
    const [from, to] = excerpts(before ?? "(none)", after ?? "(none)", 80);
    if (after === undefined) return `${path}: ${from} removed`;
    if (before !== undefined) return `${path}: ${from} => ${to}`;
    return `${path}: ${to}${change === "added" && action !== "creation" ? " added" : ""}`;
  });
}
