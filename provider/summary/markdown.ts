/** A summary as a comment of a pull request: always short enough to be one. */
import { escapeUnprintable } from "../text/sanitize";
import type { Change } from "./changes";
import { secretMark } from "./secret";
import { actions, type DeploymentChange, type Diagnostic, type Summary } from "./summary";
import { actionText, countOf, excerpts, headline, othersText, plural, shortened } from "./phrases";

/** What code hosts take for one comment. Counted in bytes, which are never fewer than characters. */
export const longestComment = 65_536;

const longestValue = 120;
const longestName = 100;
const longestMessage = 16_000;
/** For what is said of what was folded, and for the line by which a workflow finds its comment; in bytes. */
const reserve = 1_000;

const tableHead = ["| Deployment | What happens | Why |", "| --- | --- | --- |"];

/** Some text of the comment, which can be left out. */
interface Part {
  text: string;
  /** Whether it is there, but not all of it. */
  isShort: boolean;
}

export function toMarkdown(summary: Summary): string {
  const { deployments, failures, warnings } = summary;
  const opening = headline(summary);
  const closing = othersText(summary);
  const rows = deployments.map((each): Part => ({ text: rowOf(each, reasonsOf(each)), isShort: false }));
  const notes = [
    ...failures.map((each) => noteOf("❌", each)),
    ...warnings.map((each) => noteOf("⚠️", each)),
  ];
  const space = longestComment - reserve - sizeOf([opening, ...tableHead, closing].join("\n\n"));

  // First the reasons of what matters least, then all of it; what went wrong is the last.
  let excess = [...notes, ...rows].reduce((sum, { text }) => sum + sizeOf(text) + 2, 0) - space;
  const foldFromTheEnd = (parts: readonly Part[], shorten: (index: number) => string) => {
    for (let index = parts.length - 1; index >= 0 && excess > 0; index--) {
      const [part, text] = [parts[index]!, shorten(index)];
      excess -= sizeOf(part.text) - sizeOf(text);
      parts[index]!.text = text;
      part.isShort = true;
    }
  };
  foldFromTheEnd(rows, (index) => rowOf(deployments[index]!, "…"));
  foldFromTheEnd(rows, () => "");
  foldFromTheEnd(notes, () => "");

  const told = notes.map(({ text }) => text).filter((text) => text !== "");
  const listed = rows.map(({ text }) => text).filter((text) => text !== "");
  const table = listed.length > 0 ? [...tableHead, ...listed].join("\n") : "";
  const parts = [opening, ...told, table, foldedText(deployments, rows, notes), closing];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function rowOf(deployment: DeploymentChange, reasons: string): string {
  const action = actionText(deployment);
  const what = deployment.action === "replacement" ? `⚠️ **${action}**` : plainOrCode(action);
  return `| ${code(deployment.name, longestName)} | ${what} | ${reasons} |`;
}

function reasonsOf({ changes, reasons }: DeploymentChange): string {
  const isReason = ({ path }: Change) => reasons.includes(path);
  const first = [...changes.filter(isReason), ...changes.filter((change) => !isReason(change))];
  return first.map((change) => `${code(change.path, longestName)}: ${changeText(change)}`).join("<br>");
}

function changeText({ before, after }: Change): string {
  if (before === secretMark || after === secretMark) {
    if (before === undefined) return "secret added";
    return after === undefined ? "secret removed" : "secret changed";
  }
  if (before === undefined) return code(after ?? "", longestValue);
  if (after === undefined) return `${code(before, longestValue)} removed`;
  const [from, to] = excerpts(before, after, longestValue);
  return `${code(from)} → ${code(to)}`;
}

function noteOf(sign: string, { name, message }: Diagnostic): Part {
  const text = shortened(message, longestMessage);
  const lines = text.split(/\r?\n/).map(visible).join("\n");
  const fence = "`".repeat(Math.max(3, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const title = name === undefined ? sign : `${sign} ${code(name, longestName)}`;
  return { text: `${title}\n\n${fence}text\n${lines}\n${fence}`, isShort: text !== message };
}

function foldedText(
  deployments: readonly DeploymentChange[],
  rows: readonly Part[],
  notes: readonly Part[],
): string {
  const missing = deployments.filter((_, index) => rows[index]!.text === "");
  const counts = actions
    .map((action) => countOf(missing.filter((each) => each.action === action).length, action))
    .filter(Boolean);
  const shortRows = rows.filter(({ text, isShort }) => isShort && text !== "").length;
  const shortNotes = notes.filter(({ text, isShort }) => isShort && text !== "").length;
  const missingNotes = notes.filter(({ text }) => text === "").length;
  const parts = [
    shortRows > 0 ? `the reasons of ${plural(shortRows, "deployment", "deployments")}` : "",
    ...counts,
    shortNotes > 0 ? `the end of ${plural(shortNotes, "message", "messages")}` : "",
    missingNotes > 0 ? plural(missingNotes, "message", "messages") : "",
  ].filter(Boolean);
  return parts.length === 0
    ? ""
    : `Left out to fit into a comment: ${parts.join(", ")}. \`pulumi preview --diff\` shows all.`;
}

function plainOrCode(text: string): string {
  return /^[a-z ]+$/.test(text) ? text : code(text, longestName);
}

/** Text of others, of which nothing is read as Markdown, as HTML or as a mention, in a cell of a table or elsewhere. */
function code(text: string, limit = Infinity): string {
  const line = visible(shortened(text, limit));
  if (/^[\w.,:;=/@#$%+~'"()[\]{}*!?^…-]+( +[\w.,:;=/@#$%+~'"()[\]{}*!?^…-]+)*$/.test(line))
    return `\`${line}\``;
  const escape = (character: string) => `&#${character.codePointAt(0)};`;
  return `<code>${line.replace(/[^\w ./:…-]/gu, escape)}</code>`;
}

/** On one line, and everything of it to be seen. */
function visible(text: string): string {
  return escapeUnprintable(text.replace(/\n/g, "\\n")).replace(/\p{Cs}/gu, "\ufffd");
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
