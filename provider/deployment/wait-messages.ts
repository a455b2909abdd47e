/** What the user reads about a rollout. */
import { formatDuration } from "../duration";
import { longestText, sanitize } from "../text/sanitize";
import type { Clock } from "../clock";
import { ageOf } from "./queue";
import type { NamedRollout } from "./wait";
import type { Observed, Revision } from "./service";

const resumes = "the next `pulumi up` resumes waiting";

/** The deployment's status, and its latest revision's where the service tells. */
export function formatStatus({ status, latestRevisionStatus }: Observed): string {
  return latestRevisionStatus ? `${status}, latest revision ${latestRevisionStatus}` : status;
}

/** @param failure why the last poll showed nothing, if it did not */
export function waitingForRollout(
  wait: NamedRollout,
  observed: Observed,
  elapsed: string,
  timeout: number,
  failure: Error | undefined,
): string {
  const time = timeOf(elapsed, timeout);
  return `waiting for ${targetOf(wait)} (status ${formatStatus(observed)}, ${time})${lastPoll(failure)}`;
}

/** Short, since the line stands beside the resource: `BUILDING (30s of at most 30m): #8 Collecting fastapi` */
export function building(observed: Observed, elapsed: string, timeout: number, line: string): string {
  return `${observed.latestRevisionStatus} (${timeOf(elapsed, timeout)}): ${line}`;
}

/** @param first the revision that is rolled out before it */
export function queued(
  { name }: NamedRollout,
  first: Revision,
  clock: Clock,
  elapsed: string,
  timeout: number,
): string {
  const behind = `queued behind revision ${first.id} (${ageOf(first, clock)})`;
  return `${behind}, ${timeOf(elapsed, timeout)}; ${howToInterrupt(name)}`;
}

function howToInterrupt(name: string): string {
  return `\`deployment-service interrupt ${name}\` ends that revision`;
}

function timeOf(elapsed: string, timeout: number): string {
  return `${elapsed} of at most ${formatDuration(timeout)}`;
}

export function lastPoll(failure: Error | undefined): string {
  return failure === undefined ? "" : `; the last poll showed nothing: ${failure.message}`;
}

function targetOf({ revision, previous }: NamedRollout): string {
  if (revision !== null) return `revision ${revision} to become active`;
  return previous.length === 0
    ? "the first revision to become active"
    : "the new revision to appear, the responses still show the one from before";
}

/** Nobody has seen it since it was created. */
export const notListed =
  "the service does not show the deployment, which it may not list yet. It stays in the state: " +
  `${resumes}, and \`pulumi refresh\` tells whether it still exists`;

/** The service accepted a change that makes a revision, and shows none. */
export function notSeenYet(name: string, { latestRevisionId: latest }: Observed): string {
  return (
    `${name}: the service accepted the change and shows no new revision of it yet, the latest is still ${latest}. Whether ` +
    "there is a rollout is not known: the next `pulumi up` waits for it again"
  );
}

/** A later run has waited for it too. */
export function neverSeen(name: string, { latestRevisionId: latest }: Observed): string {
  return (
    `${name}: the service still shows no new revision of the change that it accepted before, the latest is ${latest}: it is ` +
    "not waited for any longer. To redeploy, change `triggers`"
  );
}

/**
 * @param failure why the last poll showed nothing, if it did not
 * @param first the revision that it is queued behind, if it is
 */
export function rolloutOutOfTime(
  wait: NamedRollout,
  observed: Observed,
  timeout: number,
  failure: Error | undefined,
  first: Revision | undefined,
): string {
  const queue =
    first === undefined
      ? ""
      : `. It is queued behind revision ${first.id} (${first.status}): ${howToInterrupt(wait.name)}`;
  const since = failure === undefined ? "" : ` when last seen, since then ${failure.message}`;
  return (
    `the rollout did not finish within ${formatDuration(timeout)}: ${notActive(wait, observed)}${since}${queue}. The deployment exists ` +
    `and the rollout may still be going: ${resumes}. The resource option \`customTimeouts\` gives it more time`
  );
}

export function rolloutInterrupted(wait: NamedRollout, observed: Observed): string {
  return `interrupted: ${notActive(wait, observed, " yet")}. The deployment exists and its rollout goes on: ${resumes}`;
}

function notActive({ revision, previous }: NamedRollout, observed: Observed, yet = ""): string {
  if (revision === null && previous.length > 0)
    return `no new revision has been seen${yet}, the latest is still ${observed.latestRevisionId}, status ${formatStatus(observed)}`;
  const active = observed.activeRevisionId ?? "none";
  return `revision ${revision ?? "(none yet)"} is not active${yet}, active is ${active}, status ${formatStatus(observed)}`;
}

/** @param log the address of the log that tells why, where there is one */
export function rolloutFailed(wait: NamedRollout, observed: Observed, log: string | undefined): string {
  const { latestRevisionId: latest, latestRevisionStatus: status, latestRevisionReason: reason } = observed;
  const why = reason === undefined ? "" : `: ${sanitize(reason, longestText)}`;
  return (
    `revision ${latest}${overtook(wait, observed)} failed (${status}${why}); the deployment exists, ${whatIsActive(observed)}. ` +
    `${whereWhy(log)}Change what was wrong and run \`pulumi up\`; to try the same once more, change \`triggers\``
  );
}

function overtook({ revision }: NamedRollout, { latestRevisionId }: Observed): string {
  return revision === null || revision === latestRevisionId ? "" : `, which overtook revision ${revision},`;
}

function whatIsActive({ activeRevisionId: active }: Observed): string {
  return active === null ? "no revision is active" : `revision ${active} stays active`;
}

function whereWhy(log: string | undefined): string {
  return log === undefined
    ? ""
    : `Why it failed is in its log: ${log} (with the API key), or on the deployment's page. `;
}

/** It has ended, and neither well nor badly. */
export function rolloutStopped(wait: NamedRollout, observed: Observed): string {
  return (
    `${endedAs(wait, observed)}; the deployment exists, ${whatIsActive(observed)}. Change \`triggers\` and run ` +
    "`pulumi up` to roll out once more"
  );
}

/** Something else is running, and was meant to be replaced. */
export function rolloutSkipped(wait: NamedRollout, observed: Observed): string {
  return `${wait.name}: ${endedAs(wait, observed)}: ${whatIsActive(observed)}. To redeploy, change \`triggers\``;
}

function endedAs(wait: NamedRollout, observed: Observed): string {
  const { latestRevisionId: latest, latestRevisionStatus: status } = observed;
  return `revision ${latest}${overtook(wait, observed)} ended as ${status} and no newer one has taken its place`;
}

/** It is there, and the service does not say that it is what runs. */
export function notNamedActive({ name }: NamedRollout, observed: Observed): string {
  const { latestRevisionId: latest, latestRevisionStatus: status, activeRevisionId: active } = observed;
  return `${name}: revision ${latest} is ${status}, and the service still names ${active ?? "none"} as the active one`;
}

export function overtaken({ name, revision }: NamedRollout, { latestRevisionId }: Observed): string {
  return `${name}: revision ${revision} was overtaken by ${latestRevisionId}, which is active now`;
}
