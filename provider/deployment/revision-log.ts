/** Revision logs: the last lines for the error of a failed revision, and the newest line of a running build. */
import type { Dialect } from "../dialects";
import { sanitizeIndented } from "../text/sanitize";
import type { Rollout } from "./private-state";
import type { Context } from "./context";
import type { LogQuery, Observed } from "./service";
import { afterFailedRollout, rolloutFailed } from "./wait-messages";
import { causesOf, DeploymentError } from "../errors";

/** A revision failed. */
export class FailedRevisionError extends DeploymentError {
  override readonly name = "FailedRevisionError";

  /** @param below the lines that follow the message: the last ones of the log, and what to do */
  constructor(
    message: string,
    readonly below: string,
  ) {
    super(message);
  }
}

/** The lines below the message of an error: a log and what to do, of the error or of one of its causes. */
export function linesBelow(error: unknown): string {
  return causesOf(error).find((cause) => cause instanceof FailedRevisionError)?.below ?? "";
}

/** Longer lines of an error's log are truncated; characters. */
const longestLine = 300;
/** Longer lines in the engine's progress display are truncated; characters. */
const longestStatusLine = 120;

/** The error of a failed revision, with the last lines of its log if the service has one. */
export async function failedRevision(
  { service, dialect, claimant }: Context,
  wait: Rollout,
  observed: Observed,
): Promise<FailedRevisionError> {
  const query = logOfFailure(observed, dialect);
  // A failure to fetch the log must not hide the error.
  const log = query === undefined ? [] : linesOf(await service.logTail(query).catch(() => ""));
  // A builder ends with an error that only says that a step failed.
  const isCause = (line: string) => /error:/i.test(line) && !/failed to solve|exit code/.test(line);
  const reason = observed.latestRevisionReason ?? log.findLast(isCause)?.trim();
  const head = log.length === 0 ? [] : [`The last lines of its ${query?.type} log:`];
  const after = afterFailedRollout(claimant.name, observed, query && service.logAddress(query));
  const below = [...head, ...log.map((line) => `  ${line}`), ...after].join("\n");
  return new FailedRevisionError(rolloutFailed(wait, observed, reason), below);
}

/** The newest line of the latest revision's build log; undefined if none is available. */
export async function newestLine(
  { service, dialect }: Context,
  observed: Observed,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = logByStatus(observed, dialect, dialect.revisionStatuses?.building);
  if (query === undefined) return undefined;
  const text = await service.logSoFar(query, signal).catch(() => "");
  return linesOf(text, longestStatusLine).at(-1)?.trim();
}

/** The log that shows why the latest revision failed. */
export function logOfFailure(observed: Observed, dialect: Dialect): LogQuery | undefined {
  return logByStatus(observed, dialect, dialect.revisionStatuses?.failed);
}

/** @param types the kind of log by the revision's status */
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

/** The non-empty lines of a text, sanitized for a terminal, indented as they are, and truncated. */
export function linesOf(text: string, width = longestLine): string[] {
  return text
    .split("\n")
    .map((line) => sanitizeIndented(line, width))
    .filter((line) => line !== "");
}
