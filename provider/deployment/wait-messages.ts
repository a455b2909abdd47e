/** Messages about a rollout. */
import { formatDuration } from "../time/duration";
import { changeTriggers } from "./explanation";
import { longestText, sanitize } from "../text/sanitize";
import { stackIn } from "../text/urn";
import type { Claimant } from "./claims";
import type { Observed } from "./service";
import type { Rollout } from "./private-state";

const resumes = "the next `pulumi up` resumes waiting";

/** The deployment's status, and that of its latest revision if the service reports it. */
export function statusesText({ status, latestRevisionStatus }: Observed): string {
  return latestRevisionStatus ? `${status}, latest revision ${latestRevisionStatus}` : status;
}

/**
 * `deploying 1m11s of 30m: waiting for revision … to become active (status …)`. A terminal shows some 26 characters of it next to
 * the resource, so state and time come first. A log shows all of it.
 *
 * @param failure error of the last poll, if it failed
 */
export function waitingForRollout(
  wait: Rollout,
  observed: Observed,
  time: string,
  failure: Error | undefined,
): string {
  const status = failure === undefined ? ` (status ${statusesText(observed)})` : lastPoll(failure);
  return `${stateOf(wait, observed, failure)} ${time}: waiting for ${targetOf(wait)}${status}`;
}

/** `building 30s of 30m: #8 Collecting fastapi` */
export function building(wait: Rollout, observed: Observed, time: string, line: string): string {
  return `${stateOf(wait, observed)} ${time}: ${line}`;
}

/** `queued 19s behind 0028fb3b, of at most 30m; …` */
export function queued(behind: string, claimant: Claimant, time: string, timeout: number): string {
  const end = `\`${commandFor("interrupt", claimant)}\` ends it`;
  return `queued ${time} behind ${behind.slice(0, 8)}, of at most ${formatDuration(timeout)}; revision ${behind}: ${end}`;
}

/** What is waited for, in few characters: the latest revision's status, or the deployment's, unless that says that nothing is. */
function stateOf({ revision, previous }: Rollout, observed: Observed, failure?: Error): string {
  if (failure !== undefined) return "no answer";
  if (revision === null && previous.length > 0) return "no revision yet";
  const { status, latestRevisionStatus = status } = observed;
  // With the time, no more than a narrow terminal shows.
  const state = sanitize(latestRevisionStatus ?? status, 17)
    .toLowerCase()
    .replace(/^awaiting_/, "awaits ");
  // The older revision is ready, and the new one may be anywhere on its way.
  if (state === "ready") return "rolling out";
  return state === "deployed" ? "activating" : state.replaceAll("_", " ");
}

export function lastPoll(failure: Error | undefined): string {
  return failure === undefined ? "" : `; the last poll failed: ${failure.message}`;
}

function targetOf({ revision, previous }: Rollout): string {
  if (revision !== null) return `revision ${revision} to become active`;
  return previous.length === 0
    ? "the first revision to become active"
    : "the new revision to appear; responses still show the previous one";
}

export function deletingText({ status }: Observed): string {
  return `the deployment is being deleted (status ${status})`;
}

/** @param names what is sent only once a revision is active */
export function neverActive(names: string, status: string): string {
  return (
    `the first revision failed (${status}), and the service accepts ${names} only once a revision is active. Fix the cause and run ` +
    `\`pulumi up\`; to retry without other changes, ${changeTriggers}`
  );
}

/** @param names of what the service takes only once a revision is active; empty for the folder of a new deployment */
export function stillMissing(names: string): string {
  return names === ""
    ? "The deployment exists but has no source code yet: the next `pulumi up` uploads it"
    : `The deployment runs without the declared ${names}: the next \`pulumi up\` sends it`;
}

/** No response has shown the deployment since it was created. */
export const notListed =
  "the service does not show the deployment, which may not be listed yet. It stays in the state: " +
  `${resumes}, and \`pulumi refresh\` shows whether it still exists`;

/**
 * The service accepted a change that makes a revision, but shows no new one.
 *
 * @param isGivenUp whether a second run has looked for it in vain
 */
export function notSeen({ latestRevisionId: latest }: Observed, isGivenUp: boolean): string {
  const next = isGivenUp
    ? `this no longer waits for it. To redeploy, ${changeTriggers}`
    : "the next `pulumi up` looks for it again";
  return `the service accepted the change but does not show its new revision; the latest is still ${latest}: ${next}`;
}

/** @param failure error of the last poll, if it failed */
export function rolloutOutOfTime(
  wait: Rollout,
  observed: Observed,
  timeout: number,
  failure: Error | undefined,
): string {
  const since = failure === undefined ? "" : ` when last seen; since then, ${failure.message}`;
  return (
    `the rollout did not finish within ${formatDuration(timeout)}: ${notActive(wait, observed)}${since}. The deployment exists ` +
    `and the rollout may still be in progress: ${resumes}. To wait longer, set the resource option \`customTimeouts\``
  );
}

export function rolloutInterrupted(wait: Rollout, observed: Observed): string {
  return `interrupted: ${notActive(wait, observed)}. The deployment exists and its rollout continues: ${resumes}`;
}

function notActive({ revision, previous }: Rollout, observed: Observed): string {
  const status = statusesText(observed);
  if (revision === null && previous.length > 0)
    return `no new revision has appeared; the latest is still ${observed.latestRevisionId}, status ${status}`;
  const active = observed.activeRevisionId ?? "none";
  return `revision ${revision ?? "(none yet)"} is not active; active revision: ${active}, status ${status}`;
}

/** The reason comes first: terminals cut the line, and uuids are long. */
export function rolloutFailed(wait: Rollout, observed: Observed, reason: string | undefined): string {
  const { latestRevisionId: latest, latestRevisionStatus: status } = observed;
  const why = reason === undefined ? "" : `${sanitize(reason, longestText)}: `;
  return `${why}revision ${latest}${overtook(wait, observed)} failed (${status}); the deployment exists, ${whatIsActive(observed)}`;
}

/**
 * What to do about it: the lines after the last ones of the log.
 *
 * @param log address of the log that shows why, if there is one
 */
export function afterFailedRollout(
  claimant: Claimant,
  { dashboardUrl }: Observed,
  log: string | undefined,
): string[] {
  const page = dashboardUrl === null ? "" : `: ${sanitize(dashboardUrl)}`;
  return [
    `Fix the cause and run \`pulumi up\`; to retry without other changes, ${changeTriggers}.`,
    ...(log === undefined
      ? []
      : [
          `To see why, run \`${commandFor("logs", claimant)}\` or open the deployment's page${page}`,
          `Its log is also at ${log} (with the API key)`,
        ]),
  ];
}

/** Another stack may be the selected one. */
function commandFor(command: string, { name, resource }: Claimant): string {
  const stack = stackIn(resource);
  return `npx pulumi-deployment-service ${command} ${sanitize(name)}${stack === undefined ? "" : ` --stack ${stack}`}`;
}

function overtook({ revision }: Rollout, { latestRevisionId }: Observed): string {
  return revision === null || revision === latestRevisionId ? "" : `, which superseded revision ${revision},`;
}

export function whatIsActive({ activeRevisionId: active }: Observed): string {
  return active === null ? "no revision is active" : `revision ${active} stays active`;
}

/** The revision ended without success or failure. */
export function rolloutEnded(wait: Rollout, observed: Observed): string {
  const { latestRevisionId: latest, latestRevisionStatus: status } = observed;
  return (
    `revision ${latest}${overtook(wait, observed)} ended as ${status}, and no newer one has replaced it; the deployment exists, ` +
    `${whatIsActive(observed)}. To redeploy, ${changeTriggers} and run \`pulumi up\``
  );
}

/** The revision is active, under a status of the deployment that this version does not know. */
export function statusUnknown({ latestRevisionId: latest, status }: Observed): string {
  return `revision ${latest} is active, but the deployment's status is ${sanitize(status, 40)}, not READY: this no longer waits`;
}

export function overtaken({ revision }: Rollout, { latestRevisionId }: Observed): string {
  return `revision ${revision} was superseded by ${latestRevisionId}, which is active now`;
}
