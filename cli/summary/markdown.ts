/** Prints a summary as Markdown, always short enough for a pull request comment. */
import { escapeUnprintable } from "../../provider/text/sanitize";
import { filled } from "../files/package-texts";
import type { ValueChange } from "./changes";
import type { Action, DeploymentChange } from "./deployment-change";
import type { Diagnostic } from "./diagnostics";
import type { DriftedDeployment } from "./drift";
import { actionText, headlineText, othersText, totalText } from "./phrases";
import { secretMark } from "./secret";
import type { Summary } from "./summary";

/** The limit of code hosts for a comment, in characters. Counted in bytes here, to be safe. */
export const longestComment = 65_536;

const longestName = 100;
const longestValue = 200;
/** Of what the provider says, which may list many names. */
const longestLine = 400;
const longestMessage = 16_000;
/** Bytes kept free for the headings, for the line about omitted parts, and for a workflow's own marker line. */
const reserve = 1_000;

/** A comment about one preview, or about several, with a section for each. */
export function toMarkdown(summaries: readonly Summary[], time?: Date): string {
  const [only, ...more] = summaries;
  if (more.length === 0) return sectionOf(only!, time, longestComment - reserve);
  const opening = totalText(summaries);
  let space = longestComment - reserve - sizeOf(opening);
  const sections = summaries.map((summary, index) => {
    const title = time === undefined ? "" : `### ${originCode(summary, time)}\n\n`;
    // What a short section leaves belongs to those after it.
    const share = Math.floor(space / (summaries.length - index)) - sizeOf(title) - 2;
    const section = title + sectionOf(summary, undefined, share);
    space -= sizeOf(section) + 2;
    return section;
  });
  return [`${opening}\n`, ...sections].join("\n");
}

/** @param limit bytes */
function sectionOf(summary: Summary, time: Date | undefined, limit: number): string {
  const { deployments, failures, warnings, changedByHand } = summary;
  const opening = [headlineText(summary), time && originCode(summary, time)].filter(Boolean).join("\n\n");
  const closing = othersText(summary);
  const messages = [
    ...failures.map((each) => noteOf("❌ error", each)),
    ...warnings.map((each) => noteOf("⚠️ warning", each)),
  ];
  let space = limit - sizeOf(opening) - sizeOf(closing ?? "");
  const leftOut: string[] = [];
  /** @param noun what each text is about */
  const fitting = (texts: readonly string[], noun: string) => {
    const fit = texts.filter((text) => {
      const left = space - sizeOf(text) - 2;
      if (left >= 0) space = left;
      return left >= 0;
    });
    const omitted = texts.length - fit.length;
    if (omitted > 0) leftOut.push(`${omitted} ${noun}${omitted === 1 ? "" : "s"}`);
    return fit;
  };
  // What matters most gets the space first.
  const shown = {
    messages: fitting(messages, "message").join("\n\n") || undefined,
    deployments: fitting(deployments.map(rowOf), "deployment").join("\n") || undefined,
    drift: fitting(changedByHand.map(driftRowOf), "manual change").join("\n") || undefined,
  };
  return filled("cli/summary/templates/section.txt", {
    opening,
    ...shown,
    hasDrift: shown.drift !== undefined,
    leftOut: leftOut.join(", ") || undefined,
    closing,
  });
}

function rowOf(deployment: DeploymentChange): string {
  const action = actionText(deployment);
  const signs: Partial<Record<Action, string>> = { replacement: "⚠️", deletion: "🗑️" };
  const sign = signs[deployment.action];
  const what = sign === undefined ? plainOrCode(action) : `${sign} ${action.replace(/^[^,]+/, "**$&**")}`;
  return `| ${code(deployment.name, longestName)} | ${what} | ${reasonsOf(deployment)} |`;
}

function reasonsOf({ action, changes: all, reasons, words, notes }: DeploymentChange): string {
  // After a failed build, the provider compares a folder with the one that runs, not with the one that failed.
  const isTold = ({ path }: ValueChange) =>
    path === "sourceDirectory" && words.some((line) => / \(?sourceDirectory: /.test(line));
  const changes = all.filter((change) => !isTold(change));
  const isReason = ({ path }: ValueChange) => reasons.includes(path);
  const [causes, rest] = [changes.filter(isReason), changes.filter((change) => !isReason(change))];
  const mark = causes.length > 0 && rest.length > 0 ? "**" : "";
  const lines = [...causes, ...rest].map((change) =>
    changeLine(change, isReason(change) ? mark : "", action === "creation"),
  );
  // Names of changed files are in the change already.
  const others = words.filter((line) => !changes.some(({ path }) => line.startsWith(`${path}: `)));
  return [...lines, ...others.map((line) => code(line, longestLine)), ...notes].join("<br>");
}

function driftRowOf({ name, isDeleted, changes }: DriftedDeployment): string {
  const lines = changes.map((change) => changeLine(change));
  return `| ${code(name, longestName)} | ${isDeleted ? "🗑️ **deleted**" : lines.join("<br>")} |`;
}

/** The line below the counts: the stack and the time, `shop/prod, 2026-11-24 09:30 UTC`. */
function originCode({ project, stack }: Summary, time: Date): string {
  const minute = `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return code(project === undefined ? minute : `${project}/${stack}, ${minute}`, longestName * 3);
}

/**
 * @param around Markdown around the path: `**` for a cause
 * @param isNew the deployment is created, so that all of it is added
 */
function changeLine(change: ValueChange, around = "", isNew = false): string {
  return `${around}${code(change.path, longestName)}${around}: ${changeText(change, isNew)}`;
}

function changeText({ change, before, after, follows }: ValueChange, isNew: boolean): string {
  const value = (text = "") => code(text, longestValue);
  if (follows?.length) return `may follow ${follows.map((name) => code(name)).join(" and ")}, not known yet`;
  if (follows !== undefined && !isNew) return "not known yet";
  if (before === secretMark || after === secretMark) return `secret ${change}`;
  if (before === undefined) return `${value(after)}${change === "added" && !isNew ? " added" : ""}`;
  if (after === undefined) return `${value(before)} removed`;
  const [from, to] = excerpts(before, after);
  return `${code(from)} → ${code(to)}`;
}

/** Cuts two long values around their first difference. */
function excerpts(before: string, after: string, limit = longestValue): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const isLong = Math.max(before.length, after.length) > limit;
  const from = isLong && same > limit / 2 ? same - Math.floor(limit / 4) : 0;
  const cut = (text: string) => `${from > 0 ? "…" : ""}${shortened(text.slice(from), limit)}`;
  return [cut(before), cut(after)];
}

function noteOf(kind: string, { name, message }: Diagnostic): string {
  const text = shortened(message.replaceAll("\t", "  "), longestMessage);
  const lines = text.split(/\r?\n/).map(visible).join("\n");
  const fence = "`".repeat(Math.max(3, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const title = name === undefined ? kind : `${kind} in ${code(name, longestName)}`;
  return `${title}\n\n${fence}text\n${lines}\n${fence}`;
}

function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}

function plainOrCode(text: string): string {
  return /^[a-z, ]+$/.test(text) ? text : code(text, longestName);
}

/** Prints untrusted text as code, safe from Markdown, HTML and mentions, also in a table. */
function code(text: string, limit = Infinity): string {
  const line = visible(shortened(text, limit));
  if (/^[\w.,:;=/@#$%+~'"()[\]{}*!?^…-]+( +[\w.,:;=/@#$%+~'"()[\]{}*!?^…-]+)*$/.test(line))
    return `\`${line}\``;
  const escape = (character: string) => `&#${character.codePointAt(0)};`;
  return `<code>${line.replace(/[^\w ./:…-]/gu, escape)}</code>`;
}

/** Puts the text on one line and escapes invisible characters. */
function visible(text: string): string {
  return escapeUnprintable(text.replace(/\n/g, "\\n")).replace(/\p{Cs}/gu, "\ufffd");
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
