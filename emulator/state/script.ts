/**
 * How long things take, as a script. A "poll" is one response that contains the deployment; responses with others alone,
 * or pages without it, do not count.
 */

/**
 * - `{ polls: n }`: the first n polls show it unfinished, the next one finished.
 * - `{ afterMs: n }`: finished when the clock has gone n milliseconds on.
 * - a list of statuses: one per poll, the last one stays. Finished when the last one is reached and is the
 *   ready status; a ready status before that is shown while the active revision still lags behind.
 * - `{ revision: [...] }`: the same with statuses of the revision. It ends when the last one is a status that
 *   ends a rollout, well or badly; any other last one stays for ever.
 * - `fails`: at that moment the revision fails instead, and never becomes active; a text is its status.
 *   `buildLog` are then the lines of its build log, and `reason` is the `status_message` of the revision.
 * - `"never"`: unfinished until it is told to finish. A newer revision takes its place.
 * - `"stuck"`: the same, and newer revisions wait behind it until it is finished or interrupted.
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

/** `{ polls: n }`: the first n polls show it waiting. */
export type Wait = { readonly polls: number } | { readonly afterMs: number } | "never";

/**
 * `{ polls: n }`: the first n polls show it being deleted, then it is deleted. With `finalPolls` there are so many
 * more polls at which it shows the last status before it is deleted, where the service has one.
 */
export type Deletion = Wait | { readonly polls: number; readonly finalPolls: number };

/** One script for all, one per deployment name, or a function that is asked for each. */
export type Script<T> = T | ByName<T> | ((subject: Subject) => T | undefined);
export type RolloutScript = Script<Rollout>;
export type DeletionScript = Script<Deletion>;
export type DatabaseScript = Script<Wait>;

export interface ByName<T> {
  readonly byName: Readonly<Record<string, T>>;
  readonly otherwise?: T;
}

export interface Subject {
  readonly name: string;
  /** Number of the revision, 1 for the first. */
  readonly revision: number;
}

export function chooseFrom<T>(script: Script<T>, subject: Subject, fallback: T): T {
  if (typeof script === "function") {
    return (script as (subject: Subject) => T | undefined)(subject) ?? fallback;
  }
  if (isByName(script)) {
    const own = Object.hasOwn(script.byName, subject.name) ? script.byName[subject.name] : undefined;
    return own ?? script.otherwise ?? fallback;
  }
  return script;
}

function isByName<T>(script: T | ByName<T>): script is ByName<T> {
  return typeof script === "object" && script !== null && "byName" in script;
}

/** How a revision can end; a failure may have a status of its own. */
export type Ending =
  | { readonly state: "done" | "overtaken" | "interrupted" }
  | { readonly state: "failed"; readonly status?: string };

/** Where a rollout stands: ended, or going on while the deployment shows a status of the script's. */
export type Progress = { readonly ending: Ending } | { readonly status?: string };

export interface Endings {
  readonly ready: string;
  readonly done: string;
  readonly overtaken: string;
  readonly failures: readonly string[];
}

/** Where a rollout stands after so many polls and so much time. */
export function rolloutProgress(
  rollout: Rollout,
  polls: number,
  elapsedMs: number,
  words: Endings,
): Progress {
  if (rollout === "never" || rollout === "stuck") return {};
  if (isSequence(rollout)) {
    const last = rollout.length - 1;
    const status = rollout[Math.min(polls, last)];
    return polls >= last && status === words.ready ? { ending: { state: "done" } } : { status };
  }
  if ("revision" in rollout) {
    const ending =
      polls >= rollout.revision.length - 1 ? endingOf(rollout.revision.at(-1), words) : undefined;
    return ending === undefined ? {} : { ending };
  }
  if (!isOver(rollout, polls, elapsedMs)) return {};
  const { fails = false } = rollout;
  if (fails === false) return { ending: { state: "done" } };
  return { ending: { state: "failed", ...(fails === true ? {} : { status: fails }) } };
}

function endingOf(status: string | undefined, words: Endings): Ending | undefined {
  if (status === words.done) return { state: "done" };
  if (status === words.overtaken) return { state: "overtaken" };
  return status !== undefined && words.failures.includes(status) ? { state: "failed", status } : undefined;
}

export function isOver(wait: Wait, polls: number, elapsedMs: number): boolean {
  if (wait === "never") return false;
  return "polls" in wait ? polls >= wait.polls : elapsedMs >= wait.afterMs;
}

export function deletionStage(
  deletion: Deletion,
  polls: number,
  elapsedMs: number,
): "deleting" | "final" | "deleted" {
  if (!isOver(deletion, polls, elapsedMs)) return "deleting";
  if (deletion === "never" || !("finalPolls" in deletion)) return "deleted";
  return polls >= deletion.polls + deletion.finalPolls ? "deleted" : "final";
}

function isSequence(rollout: Exclude<Rollout, "never" | "stuck">): rollout is readonly string[] {
  return Array.isArray(rollout);
}
