/** Logs of revisions: the end of one in the error that it explains, and the newest line of a build's. */
import type { Dialect } from "../dialects";
import { sanitize } from "../text/sanitize";
import type { Context, LogQuery, Observed } from "./service";
import { causesOf, DeploymentError } from "../errors";

/** The service says why it failed in the log. */
export class FailedRevisionError extends DeploymentError {
  override readonly name = "FailedRevisionError";

  /** @param log its last lines, for the end of the message */
  constructor(
    message: string,
    readonly log: string,
  ) {
    super(message);
  }
}

/** The log in an error, or in one that caused it. */
export function logIn(error: unknown): string {
  return causesOf(error).find((cause) => cause instanceof FailedRevisionError)?.log ?? "";
}

/** Longer lines are cut, in characters. */
const longestLine = 300;
/** Beside a resource there is less room. */
const longestStatusLine = 120;
/** As many lines are asked for as may be empty. */
const linesForNewest = 20;

/** The last lines of the log that tells why the latest revision failed; empty where there are none to be had. */
export async function lastWords(context: Context, observed: Observed): Promise<string> {
  const { service, dialect, logLines: count } = context;
  const query = logOfFailure(observed, dialect);
  if (query === undefined || count === 0) return "";
  // The error is told in any case.
  const text = await service.logTail(query, count).catch(() => "");
  const lines = linesOf(text).slice(-count);
  if (lines.length === 0) return "";
  return [`The last lines of its ${query.type} log:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** The newest line of the build of the latest revision; undefined where there is none to be had. */
export async function newestLine(
  { service, dialect, logLines }: Context,
  observed: Observed,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = logByStatus(observed, dialect, dialect.revisionStatuses?.building);
  if (query === undefined || logLines === 0) return undefined;
  const text = await service.logSoFar(query, linesForNewest, signal).catch(() => "");
  return linesOf(text, longestStatusLine).at(-1);
}

/** Which log tells why the latest revision failed. */
export function logOfFailure(observed: Observed, dialect: Dialect): LogQuery | undefined {
  return logByStatus(observed, dialect, dialect.revisionStatuses?.failed);
}

/** @param types the kind of log by the status of the revision that writes it */
function logByStatus(
  { id, latestRevisionId, latestRevisionStatus }: Observed,
  { paths }: Dialect,
  types: Readonly<Record<string, string>> = {},
): LogQuery | undefined {
  const status = latestRevisionStatus ?? "";
  if (paths.revisionLog === undefined || latestRevisionId === null || !Object.hasOwn(types, status))
    return undefined;
  return { id, revisionId: latestRevisionId, type: types[status]! };
}

/** Lines fit for a terminal: nothing in them is obeyed, and none is endless or empty. */
export function linesOf(text: string, width = longestLine): string[] {
  return text
    .split("\n")
    .map((line) => sanitize(line, width))
    .filter((line) => line !== "");
}
