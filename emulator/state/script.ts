import { revisionStatuses, statuses } from "../rules/dialect-rules";

/**
 * Scripts for how long things take. A "poll" is one response that contains the deployment; other responses, such as pages
 * without it, do not count.
 */

/**
 * - `{ polls: n }`: the first n polls show it as unfinished, the next one as finished.
 * - `{ afterMs: n }`: finished when the clock has advanced by n milliseconds.
 * - a list of statuses of the deployment: one per poll. The rollout is done when the last status is reached and is the
 *   ready one; any other last status stays forever. An earlier ready status is shown while the active revision still
 *   lags behind.
 * - `{ revision: [...] }`: the same with statuses of the revision. It ends if the last status ends a rollout, whether it
 *   succeeds or fails; any other last status stays forever.
 * - `fails`: the revision fails instead, and never becomes active; a text is its status. `buildLog` holds the lines of
 *   its build log, and `reason` is its `status_message`.
 * - `"never"`: unfinished until `finish` is called. A newer revision takes its place.
 * - `"stuck"`: the same, but newer revisions are queued until it is finished or interrupted.
 */
export type Rollout =
  | ({ readonly polls: number } & Failing)
  | ({ readonly afterMs: number } & Failing)
  | { readonly revision: readonly string[] }
  | readonly string[]
  | "never"
  | "stuck";

export interface Failing {
  readonly fails?: boolean | string;
  readonly buildLog?: readonly string[];
  readonly reason?: string;
}

/**
 * `{ polls: n }`: the first n polls show it being deleted, then it is gone. With `finalPolls`, that many more polls show
 * the last status before it is gone, if the service has one.
 */
export type Deletion =
  { readonly polls: number; readonly finalPolls?: number } | { readonly afterMs: number } | "never";

/** One script for all deployments, one per name, or a function that chooses. */
export type Script<T> = T | ByName<T> | ((subject: Subject) => T | undefined);
export type RolloutScript = Script<Rollout>;
export type DeletionScript = Script<Deletion>;

export interface ByName<T> {
  readonly byName: Readonly<Record<string, T>>;
  readonly otherwise?: T;
}

export interface Subject {
  readonly name: string;
  /** Number of the revision; 1 for the first. */
  readonly revision: number;
}

export const usualRollout: Rollout = { polls: 1 };

export function chooseFrom<T extends Rollout | Deletion>(
  script: Script<T>,
  subject: Subject,
  fallback: T,
): T {
  if (typeof script === "function") return script(subject) ?? fallback;
  if (!isByName(script)) return script;
  const own = Object.hasOwn(script.byName, subject.name) ? script.byName[subject.name] : undefined;
  return own ?? script.otherwise ?? fallback;
}

function isByName<T>(script: T | ByName<T>): script is ByName<T> {
  return typeof script === "object" && script !== null && "byName" in script;
}

/** How a revision ended; a failure can have its own status. */
export type Ending =
  | { readonly state: "done" | "overtaken" | "interrupted" }
  | { readonly state: "failed"; readonly status?: string };

/** The state of a rollout: ended, or under way while the deployment shows the script's status, if it has one. */
export type Progress = { readonly ending: Ending } | { readonly status?: string };

export function rolloutProgress(rollout: Rollout, polls: number, elapsedMs: number): Progress {
  if (rollout === "never" || rollout === "stuck") return {};
  if (isSequence(rollout)) {
    const last = rollout.length - 1;
    const status = rollout[Math.min(polls, last)];
    return polls >= last && status === statuses.ready ? { ending: { state: "done" } } : { status };
  }
  if ("revision" in rollout) {
    if (polls < rollout.revision.length - 1) return {};
    const ending = endingOf(rollout.revision.at(-1) ?? "");
    return ending === undefined ? {} : { ending };
  }
  if (!isOver(rollout, polls, elapsedMs)) return {};
  const { fails = false } = rollout;
  if (fails === false) return { ending: { state: "done" } };
  return { ending: { state: "failed", ...(fails === true ? {} : { status: fails }) } };
}

function endingOf(status: string): Ending | undefined {
  const { done, overtaken, failures } = revisionStatuses;
  if (status === done) return { state: "done" };
  if (status === overtaken) return { state: "overtaken" };
  return failures.includes(status) ? { state: "failed", status } : undefined;
}

type Wait = { readonly polls: number } | { readonly afterMs: number };

function isOver(wait: Wait, polls: number, elapsedMs: number): boolean {
  return "polls" in wait ? polls >= wait.polls : elapsedMs >= wait.afterMs;
}

export function deletionStage(
  deletion: Deletion,
  polls: number,
  elapsedMs: number,
): "deleting" | "final" | "deleted" {
  if (deletion === "never" || !isOver(deletion, polls, elapsedMs)) return "deleting";
  if (!("polls" in deletion) || deletion.finalPolls === undefined) return "deleted";
  return polls >= deletion.polls + deletion.finalPolls ? "deleted" : "final";
}

function isSequence(rollout: Exclude<Rollout, string>): rollout is readonly string[] {
  return Array.isArray(rollout);
}
