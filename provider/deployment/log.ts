/** Logs of revisions, and the end of one in the error that it explains. */
import type { Dialect } from "../dialects";
import { sanitize } from "../text/sanitize";
import type { Context, LogQuery, Observed } from "./service";
import { causesOf, DeploymentError } from "../errors";

/** The service says why it failed in the log. */
export class FailedRevisionError extends DeploymentError {
  override readonly name = "FailedRevisionError";

  constructor(
    message: string,
    /** Its last lines, for the end of the message. */
    readonly log: string,
  ) {
    super(message);
  }
}

/** The log in an error, or in one that caused it. */
export function logIn(error: unknown): string {
  return causesOf(error).find((cause) => cause instanceof FailedRevisionError)?.log ?? "";
}

const variable = "DEPLOYMENT_SERVICE_LOG_LINES";
const usualLines = 20;
const mostLines = 1_000;
/** Longer lines are cut, in characters. */
const widest = 300;

/** The last lines of the log that tells why the latest revision failed; empty where there are none to be had. */
export async function lastWords(context: Context, observed: Observed): Promise<string> {
  const { service, dialect } = context;
  const query = logOfFailure(observed, dialect);
  const count = linesWanted();
  if (query === undefined || count === 0) return "";
  // The error is told in any case.
  const text = await service.logTail(query, count).catch(() => "");
  const lines = linesOf(text).slice(-count);
  if (lines.length === 0) return "";
  return [`The last lines of its ${query.type} log:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** How many lines the environment asks for; what is no number asks for none in particular. */
function linesWanted(): number {
  const text = process.env[variable]?.trim() ?? "";
  return /^\d+$/.test(text) ? Math.min(Number(text), mostLines) : usualLines;
}

/** Which log tells why the latest revision failed. */
export function logOfFailure(
  { id, latestRevisionId, latestRevisionStatus }: Observed,
  { revisionStatuses, paths }: Dialect,
): LogQuery | undefined {
  const types = revisionStatuses?.failed ?? {};
  const status = latestRevisionStatus ?? "";
  if (paths.revisionLog === undefined || latestRevisionId === null || !Object.hasOwn(types, status))
    return undefined;
  return { id, revisionId: latestRevisionId, type: types[status]! };
}

/** Lines fit for a terminal: nothing in them is obeyed, and none is endless or empty. */
export function linesOf(text: string, width = widest): string[] {
  return text
    .split("\n")
    .map((line) => sanitize(line, width))
    .filter((line) => line !== "");
}
