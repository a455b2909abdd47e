/**
 * How long things take, as a script. A "look" is one answer that contains the deployment; looks at other
 * deployments, or at a page without it, do not count.
 */

/**
 * - `{ looks: n }`: the first n looks show it unfinished, the next one finished.
 * - `{ afterMs: n }`: finished when the clock has gone n milliseconds on.
 * - a list of statuses: one per look, the last one stays. Finished when the last one is reached and is the
 *   ready status; a ready status before that is shown while the active revision still lags behind.
 * - `fails`: at that moment the revision fails instead, and never becomes active.
 */
export type Rollout =
  | { readonly looks: number; readonly fails?: boolean }
  | { readonly afterMs: number; readonly fails?: boolean }
  | readonly string[]
  | "never";

/** `{ looks: n }`: the first n looks show it being deleted, then it is gone. */
export type Deletion = { readonly looks: number } | { readonly afterMs: number } | "never";

/** One script for all, one per deployment name, or a function that is asked for each. */
export type Script<T> = T | ByName<T> | ((subject: Subject) => T | undefined);
export type RolloutScript = Script<Rollout>;
export type DeletionScript = Script<Deletion>;

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

export type Progress =
  { readonly ended: false; readonly status?: string } | { readonly ended: true; readonly fails: boolean };

/** Where a rollout stands after so many looks and so much time. */
export function rolloutProgress(
  rollout: Rollout,
  looks: number,
  elapsedMs: number,
  readyStatus: string,
): Progress {
  if (rollout === "never") return { ended: false };
  if (isSequence(rollout)) {
    const last = rollout.length - 1;
    const status = rollout[Math.min(looks, last)];
    return looks >= last && status === readyStatus ? { ended: true, fails: false } : { ended: false, status };
  }
  const ended = "looks" in rollout ? looks >= rollout.looks : elapsedMs >= rollout.afterMs;
  return ended ? { ended, fails: rollout.fails ?? false } : { ended };
}

export function isGone(deletion: Deletion, looks: number, elapsedMs: number): boolean {
  if (deletion === "never") return false;
  return "looks" in deletion ? looks >= deletion.looks : elapsedMs >= deletion.afterMs;
}

function isSequence(rollout: Exclude<Rollout, "never">): rollout is readonly string[] {
  return Array.isArray(rollout);
}
