/** Limits the waits of one operation, by a deadline and by Ctrl-C, and reports them to the user. */
import { setMaxListeners } from "node:events";
import type { Clock } from "./clock";
import { formatDuration } from "./duration";

export interface Limits {
  /** In milliseconds since the epoch. */
  readonly deadline: number;
  /** The whole time of the operation, in milliseconds. */
  readonly timeout: number;
  /** The setting that gives the operation more time, for messages; undefined if there is none. */
  readonly moreTime?: string | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /** Shows what the operation waits for, in place of the message before. Redacts errors of the service. Never throws. */
  readonly tell: (waitsFor: string | Error, time?: string) => void;
}

/** What ends a wait early. */
type Ends = Pick<Limits, "deadline" | "signal">;

/** Why a wait ended early. */
export type End = "out of time" | "interrupted";

/** Shorter waits are not reported; milliseconds. */
export const moment = 1_000;

/** Why there is no time left for work of this length, in milliseconds; undefined if there is. */
export function endOf(clock: Clock, { deadline, signal }: Ends, ms = 0): End | undefined {
  if (signal?.aborted) return "interrupted";
  return clock.now() + ms > deadline ? "out of time" : undefined;
}

/** The elapsed time of the operation, in milliseconds. */
export function elapsed(clock: Clock, { deadline, timeout }: Limits): number {
  return Math.max(0, clock.now() - (deadline - timeout));
}

/**
 * Sleeps for a time in milliseconds. Returns at once if the sleep would pass the deadline.
 *
 * @param tell called before a sleep that is worth a message
 */
export async function pause(
  clock: Clock,
  limits: Ends,
  ms: number,
  tell?: () => void,
): Promise<End | undefined> {
  const end = endOf(clock, limits, ms);
  if (end !== undefined) return end;
  tell?.();
  await clock.sleep(ms, limits.signal);
  return endOf(clock, limits);
}

/** The result of the work, or why the limits ended first. The work gets a signal that is aborted once nobody needs its result. */
export async function within<T>(
  clock: Clock,
  limits: Limits,
  work: (ended: AbortSignal) => Promise<T>,
  waitsFor?: () => string,
): Promise<{ readonly value: T } | { readonly end: End }> {
  const ended = endingWith(limits.signal);
  const { signal } = ended;
  if (waitsFor !== undefined) {
    clock.later(moment, signal, () => limits.tell(waitsFor()));
  }
  const limit = clock.sleep(Math.max(0, limits.deadline - clock.now()), signal);
  const end = limit.then(() => ({ end: endOf(clock, limits) ?? ("out of time" as const) }));
  const result = work(signal).then((value) => ({ value }));
  return Promise.race([result, end]).finally(() => ended.abort(doneReason));
}

/** Milliseconds between two questions of a wait, and what the last one has left before the deadline. */
export interface Pauses {
  readonly first: number;
  readonly most?: number;
  readonly left?: number;
}

/** How fast all polls slow down; milliseconds. `Poller` (rollouts, deletions) and `waitUntil` (all else) decide the pace. */
export function nextPause(previousPause: number, most = 15_000): number {
  return Math.max(previousPause, Math.min(most, previousPause * 1.5));
}

/**
 * The loop of every wait: for rollouts, deletions and answers, and of commands. Returns how it ended.
 *
 * @param condition asks, and returns how the wait ends; undefined if it continues
 * @param pauses omit if the condition itself waits
 */
export async function waitUntil<R>(
  clock: Clock,
  limits: Ends,
  condition: () => Promise<R | undefined>,
  pauses?: Pauses,
): Promise<R | End> {
  for (let ms = pauses?.first ?? 0; ; ms = nextPause(ms, pauses?.most)) {
    const result = await condition();
    if (result !== undefined) return result;
    if (pauses === undefined) continue;
    const jittered = ms * (0.9 + clock.random() * 0.2);
    const rest = limits.deadline - clock.now() - (pauses.left ?? 0);
    const end = rest > 0 ? undefined : endOf(clock, limits, jittered);
    if (end !== undefined) return end;
    // The last question comes `left` before the deadline, however late the timer wakes.
    await clock.sleep(rest > 0 ? Math.min(jittered, rest) : jittered, limits.signal);
    if (limits.signal?.aborted) return "interrupted";
  }
}

/** The limits of a request that several operations share: those with the latest deadline. */
export function sharedLimits(all: readonly Limits[]): Limits {
  const last = all.reduce((a, b) => (a.deadline >= b.deadline ? a : b));
  return { ...last, tell: (waitsFor, time) => all.forEach(({ tell }) => tell(waitsFor, time)) };
}

/**
 * Extends the limits by some milliseconds to find out the result of a request, even after the deadline or Ctrl-C.
 * @param ended aborted once the result is known
 */
export function withExtraTime(clock: Clock, limits: Limits, ms: number, ended?: AbortSignal): Limits {
  const { signal, tell } = limits;
  const deadline = Math.max(limits.deadline, clock.now() + ms);
  if (signal === undefined) return { ...limits, deadline };
  const later = newController();
  const begin = () => {
    clock.later(moment, ended ?? later.signal, () =>
      tell(`interrupted: finding out what was created, for at most ${formatDuration(ms)}`),
    );
    void clock.sleep(ms, ended).then(() => later.abort());
  };
  if (signal.aborted) begin();
  else onAbort(signal, begin, ended);
  return { ...limits, deadline, signal: later.signal };
}

/** `retries in 20s of 5m: lost the connection to …`: a terminal shows some 26 characters of it next to a resource. */
export function waitingText(waitsFor: string | Error, time?: string): string {
  const text = typeof waitsFor === "string" ? waitsFor : waitsFor.message;
  return time === undefined ? text : `${time}: ${text}`;
}

/** `retries in 20s of 5m` */
export function nextTryText({ timeout }: Limits, ms: number): string {
  return `retries in ${formatDuration(ms)} of ${formatDuration(timeout)}`;
}

/** `5s in all (the resource option \`customTimeouts\` gives more)` */
export function allowanceText({ timeout, moreTime }: Limits): string {
  const more = moreTime === undefined ? "" : ` (${moreTime} gives more)`;
  return `${formatDuration(timeout)} in all${more}`;
}

/** A controller that is aborted with the signal, or earlier. Node.js may garbage-collect the signal of `AbortSignal.any`. */
export function endingWith(signal: AbortSignal | undefined): AbortController {
  const ended = newController();
  if (signal?.aborted) ended.abort();
  else if (signal !== undefined) onAbort(signal, () => ended.abort(), ended.signal);
  return ended;
}

/** The abort reason of a wait that is over. Without a reason, Node.js captures a stack trace for an error. */
export const doneReason = "done";

/** Has no limit for listeners: with more than ten, Node.js would print a warning about a leak. */
export function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Does not use the listener option `signal`, because a long-lived signal would then keep every wait in memory. */
function onAbort(signal: AbortSignal, work: () => void, unless: AbortSignal | undefined): void {
  signal.addEventListener("abort", work, { once: true });
  unless?.addEventListener("abort", () => signal.removeEventListener("abort", work), { once: true });
}
