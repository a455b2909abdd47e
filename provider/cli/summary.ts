import { toMarkdown } from "../summary/markdown";
import { NoPreview, readPreview } from "../summary/preview";
import { secretMark } from "../summary/secret";
import { summaryOf, type DeploymentChange, type Summary } from "../summary/summary";
import { actionText, excerpts, headline, othersText } from "../summary/phrases";
import { jsonOf, sanitize } from "../text/sanitize";
import { exitCodes, type Command, type Io } from "./command";
import { formatIn } from "./format";
import { readInput } from "./manifest-file";
import { table, type Column } from "./table";

export const summary: Command = {
  name: "summary",
  summary: "Write what a preview says of the deployments, for a pull request",
  positionals: ["[FILE]"],
  flags: [
    { name: "format", value: "FORMAT", doc: "How it is written", choices: ["markdown", "text", "json"] },
  ],
  examples: [
    ["pulumi preview --json | deployment-service summary", "Markdown, from standard input"],
    [
      "pulumi preview --json --show-sames | deployment-service summary",
      "count what stays as it is apart from other resources",
    ],
    ["deployment-service summary preview.json --format text", "from a file, for a terminal"],
  ],
  async run(args, io) {
    const [file = "-"] = args.positionals;
    const format = formatIn(args, "markdown");
    const bytes = await readInput(file, io);
    try {
      io.stdout.write(show(summaryOf(readPreview(new TextDecoder().decode(bytes))), format, io));
      return exitCodes.done;
    } catch (error) {
      if (!(error instanceof NoPreview)) throw error;
      const name = file === "-" ? "standard input" : sanitize(file);
      io.stderr.write(`deployment-service: ${name} ${error.message}\n`);
      return exitCodes.problems;
    }
  },
};

function show(summary: Summary, format: string, io: Io): string {
  if (format === "json") return jsonOf({ headline: headline(summary), ...summary });
  return format === "text" ? toText(summary, io) : toMarkdown(summary);
}

const columns: readonly Column<DeploymentChange>[] = [
  { heading: "DEPLOYMENT", text: ({ name }) => name, least: 12 },
  { heading: "WHAT", text: actionText },
  { heading: "WHY", text: reasonsOf, least: 20 },
];

function toText(summary: Summary, { columns: width }: Io): string {
  const { deployments, failures, warnings } = summary;
  const note = (kind: string) => (each: Summary["failures"][number]) => {
    const message = each.message.split(/\r?\n/).map((line) => sanitize(line, Infinity));
    return `${kind}${each.name === undefined ? "" : ` (${sanitize(each.name)})`}: ${message.join("\n  ")}\n`;
  };
  const parts = [
    `${headline(summary)}\n`,
    deployments.length > 0 ? table(deployments, columns, width) : "",
    [...failures.map(note("error")), ...warnings.map(note("warning"))].join(""),
    othersText(summary)?.concat("\n") ?? "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function reasonsOf({ changes }: DeploymentChange): string {
  return changes
    .map(({ path, before, after }) => {
      if (before === secretMark || after === secretMark) return `${path}: secret`;
      const [from, to] = excerpts(before ?? "(none)", after ?? "(none)", 80);
      return before === undefined ? `${path}: ${to}` : `${path}: ${from} => ${to}`;
    })
    .join(", ");
}
