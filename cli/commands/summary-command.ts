/** The command `summary`: a preview as Markdown or as JSON. */
import { toMarkdown } from "../summary/markdown";
import { readPreviews } from "../summary/preview";
import { summaryOf, type Summary } from "../summary/summary";
import { headlineText, totalText } from "../summary/phrases";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { exitCodes, FileError, type Command } from "../command";
import { readInput } from "../files/manifest-file";

export const summaryCommand: Command = async ({ positionals: [file = "-"], switches }, io) => {
  const expectsNoDrift = switches.has("expect-no-drift");
  const { previews, problem } = readPreviews(await readInput(file, io));
  const found = previews.map((each) => summaryOf(each, io.env, expectsNoDrift));
  const message = problem && `${file === "-" ? "standard input" : sanitize(file)} ${problem}`;
  // A program needs valid JSON of everything, or nothing. A person sees what there is, and what is wrong with the rest.
  if (!switches.has("json")) {
    const shown = found.length === 0 ? "" : toMarkdown(found, io.now());
    io.stdout.write([shown, message && `${message}\n`].filter(Boolean).join("\n"));
  } else if (message === undefined) io.stdout.write(toJson(found));
  if (message !== undefined) throw new FileError(message);
  const isWrong = expectsNoDrift ? mayHaveDrift : hasFailed;
  return found.some(isWrong) ? exitCodes.problems : exitCodes.done;
};

function hasFailed({ failures }: Summary): boolean {
  return failures.length > 0;
}

/** What was not read, or is counted and not listed, may be drift. */
function mayHaveDrift(summary: Summary): boolean {
  const { isRefreshed, changedByHand, unexplained } = summary;
  const isShown = changedByHand.length > 0 || Object.keys(unexplained).length > 0;
  return !isRefreshed || isShown || hasFailed(summary);
}

function toJson(summaries: readonly Summary[]): string {
  const objects = summaries.map((each) => ({ headline: headlineText(each), ...each }));
  return jsonOf(objects.length === 1 ? objects[0] : { headline: totalText(summaries), previews: objects });
}
