/** Revision logs: the last lines for the error of a failed revision, and the newest line of a running build. */
import type { Dialect } from "../dialects";
import { linesOf } from "../text/sanitize";
import type { Rollout } from "./private-state";
import type { Context } from "./context";
import type { LogQuery, Observed } from "./service";
import { afterFailedRollout, rolloutFailed } from "./wait-messages";
import { FailedRevisionError } from "../errors";

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
  const after = afterFailedRollout(claimant, observed, query && service.logAddress(query));
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
