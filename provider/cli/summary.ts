import { toMarkdown } from "../summary/markdown";
import { NoPreview, readPreviews } from "../summary/preview";
import { secretMark } from "../summary/secret";
import type { DeploymentChange } from "../summary/deployment-change";
import type { DriftedDeployment } from "../summary/drift";
import { summaryOf, type Summary } from "../summary/summary";
import {
  actionText,
  downText,
  excerpts,
  heading,
  headlineText,
  originOf,
  othersText,
  totalText,
  type Origin,
} from "../summary/phrases";
import { decode } from "../text/decode";
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
    const text = decode(await readInput(file, io)).text;
    const origin = originOf(io.env, io.now());
    const name = file === "-" ? "standard input" : sanitize(file);
    try {
      const { previews, isCutOff } = readPreviews(text);
      const found = previews.map(summaryOf);
      const cut = `${name} is cut off: it ends within a preview; write it again`;
      const all = isCutOff ? [...found, failedWith(cut)] : found;
      // A program needs valid JSON of everything, or nothing.
      if (!isCutOff || format !== "json") io.stdout.write(formatSummaries(all, origin, format, io));
      if (isCutOff) throw new FileError(cut);
      const isUnexpected = args.switches.has("expect-no-drift") && found.some(hasDrift);
      return isUnexpected ? exitCodes.problems : exitCodes.done;
    } catch (error) {
      if (!(error instanceof NoPreview)) throw error;
      const message = `${name} ${error.message}`;
      const nothing = error.isCertain ? failedWith(message) : nothingOf(text, name, message);
      if (error.mayHaveFailed && format !== "json")
        io.stdout.write(formatSummaries([nothing], origin, format, io));
      throw new FileError(message);
    }
  },
};

/** What the engine counts and does not list may be drift. */
function hasDrift({ changedByHand, unexplained }: Summary): boolean {
  return changedByHand.length > 0 || Object.keys(unexplained).length > 0;
}

/** The summary of a preview that failed before it printed JSON. Its output may contain the error, if there is any. */
function nothingOf(text: string, name: string, problem: string): Summary {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const error = lines
    .find((line) => line.startsWith("error:"))
    ?.slice("error:".length)
    .trim();
  const isEmpty = text.trim() === "";
  const elsewhere = `${name} contains no preview; see the standard error of \`pulumi preview\` for the reason`;
  return failedWith(error ?? (isEmpty ? elsewhere : problem));
}

function failedWith(message: string): Summary {
  return { ...summaryOf({}), failures: [{ name: undefined, message }] };
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
    `${headlineText(summary)}\n${sanitize(heading(summary, origin))}\n`,
    deployments.length > 0 ? table(linesOf(deployments), columns, width) : "",
    changedByHand.length > 0 ? table(linesOf(changedByHand), driftColumns, width) : "",
    [...failures.map(note("error")), ...warnings.map(note("warning"))].join(""),
    summary.total?.text?.concat("\n") ?? "",
    othersText(summary)?.concat("\n") ?? "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function reasonsOf({ action, changes }: Changed): string[] {
  return changes.map(({ path, change, before, after }) => {
    if (before === secretMark || after === secretMark) return `${path}: secret ${change}`;
    const [from, to] = excerpts(before ?? "(none)", after ?? "(none)", 80);
    if (after === undefined) return `${path}: ${from} removed`;
    if (before !== undefined) return `${path}: ${from} => ${to}`;
    return `${path}: ${to}${change === "added" && action !== "creation" ? " added" : ""}`;
  });
}
