/** Prints problems as text. */
import { markUnprintable } from "../text/sanitize";
import type { Mask, MaskedLine } from "./mask";
import type { ManifestProblem } from "./manifest-problems";
import type { SourceText } from "./source";

interface Reported {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly rule: string;
  readonly message: string;
}

export function locateProblem(
  source: SourceText,
  { at, severity, rule, message }: ManifestProblem,
): Reported {
  return { file: source.file, ...source.positionOf(at.start), severity, rule, message };
}

/** `FILE:LINE:COLUMN: message`, the line itself, and a caret under the column. */
export function problemsToText(
  source: SourceText,
  problems: readonly ManifestProblem[],
  { mask }: { readonly mask: Mask },
): string {
  return problems
    .map((problem) => {
      const { file, line, column, severity, rule, message } = locateProblem(source, problem);
      const kind = severity === "warning" ? " warning:" : "";
      const [shown, marks] = excerpt(problem, mask.line(line));
      return `${markUnprintable(file)}:${line}:${column}:${kind} ${markUnprintable(message)} [${rule}]\n${shown}\n${marks}\n`;
    })
    .join("");
}

const widest = 160;

/** The source line, and below it the line with the caret. A very long line is cut around the column. */
function excerpt({ at }: ManifestProblem, { text: line, columnOf }: MaskedLine): [string, string] {
  const column = columnOf(at.start);
  const from = column > widest - 40 ? column - 40 : 0;
  const to = from + widest;
  const text = markUnprintable(line.slice(from, to));
  const before = from > 0 ? "…" : "";
  const after = to < line.length ? "…" : "";
  const length = Math.max(1, Math.min(columnOf(at.end), to) - column);
  const pad = text.slice(0, column - from).replace(/[^\t]/g, " ");
  return [`${before}${text}${after}`, `${before && " "}${pad}^${"~".repeat(length - 1)}`];
}
