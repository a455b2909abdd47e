/** What bounds the waiting of one operation: its time and the user's patience. And who is told what is waited for. */
import { setMaxListeners } from "node:events";
import type { Clock } from "./clock";
import { formatDuration } from "./duration";

export interface Limits {
  /** When the time is up, in milliseconds since the epoch. */
  readonly deadline: number;
  /** How much time there was in all, in milliseconds. */
  readonly timeout: number;
  /** What gives the operation more time, for people; undefined where nothing does. */
  readonly moreTime?: string | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Says on the screen what is waited for, and for how long; the next message takes its place. Given an error, it repeats of
   * the service's words no secret of the operation. Never fails.
   */
  readonly tell: (waitsFor: string | Error, time?: string) => void;
}

/** Why a wait ended before what it was for. */
export type End = "out of time" | "interrupted";

/** Shorter waits are not reported; milliseconds. */
export const moment = 1_000;

/** Whether the limits leave no time for anything that takes so long, in milliseconds. */
export function endOf(clock: Clock, { deadline, signal }: Limits, ms = 0): End | undefined {
  if (signal?.aborted) return "interrupted";
  return clock.now() + ms > deadline ? "out of time" : undefined;
}

/** How much of the time is over, in milliseconds. */
export function elapsed(clock: Clock, { deadline, timeout }: Limits): number {
  return Math.max(0, clock.now() - (deadline - timeout));
}

/**
 * Sleeps for a time in milliseconds. One that ends after the deadline is not begun.
 *
 * @param waitsFor for whoever waits; undefined for what is over before it is read
 */
export async function pause(
  clock: Clock,
  limits: Limits,
  ms: number,
  waitsFor?: string | Error,
): Promise<End | undefined> {
  const end = endOf(clock, limits, ms);
  if (end !== undefined) return end;
  if (waitsFor !== undefined) limits.tell(waitsFor, nextTry(limits, ms));
  await clock.sleep(ms, limits.signal);
  return endOf(clock, limits);
}

/** What the work comes to, unless the limits end first. */
export async function within<T>(
  clock: Clock,
  limits: Limits,
  work: Promise<T>,
  waitsFor?: () => string,
): Promise<{ readonly value: T } | { readonly end: End }> {
  const ended = endingWith(limits.signal);
  const { signal } = ended;
  if (waitsFor !== undefined) {
    clock.later(moment, signal, () => limits.tell(waitsFor()));
  }
  const limit = clock.sleep(Math.max(0, limits.deadline - clock.now()), signal);
  const end = limit.then(() => ({ end: endOf(clock, limits) ?? ("out of time" as const) }));
  return Promise.race([work.then((value) => ({ value })), end]).finally(() => ended.abort(isDone));
}

/** Limits of a request that several operations of a run share: those of the one with the most time left. */
export function together(all: readonly Limits[]): Limits {
  const last = all.reduce((a, b) => (a.deadline >= b.deadline ? a : b));
  return { ...last, tell: (waitsFor, time) => all.forEach(({ tell }) => tell(waitsFor, time)) };
}

/**
 * Gives so many milliseconds more to find out what became of a request, although the time is up or the user pressed Ctrl-C.
 *
 * @param ended aborted when it is known
 */
export function extended(clock: Clock, limits: Limits, ms: number, ended?: AbortSignal): Limits {
  const { signal, tell } = limits;
  const deadline = Math.max(limits.deadline, clock.now() + ms);
  if (signal === undefined) return { ...limits, deadline };
  const later = newController();
  const begin = () => {
    clock.later(moment, ended ?? later.signal, () =>
      tell(`interrupted: finding out what was made, for at most ${formatDuration(ms)}`),
    );
    void clock.sleep(ms, ended).then(() => later.abort());
  };
  if (signal.aborted) begin();
  else onAbort(signal, begin, ended);
  return { ...limits, deadline, signal: later.signal };
}

/** `lost the connection to …: next try in 20s, of at most 5m` */
export function waitingText(waitsFor: string | Error, time?: string): string {
  const text = typeof waitsFor === "string" ? waitsFor : waitsFor.message;
  return time === undefined ? text : `${text}: ${time}`;
}

/** `next try in 20s, of at most 5m` */
export function nextTry({ timeout }: Limits, ms: number): string {
  return `next try in ${formatDuration(ms)}, of at most ${formatDuration(timeout)}`;
}

/** `5s in all (the resource option \`customTimeouts\` gives more)` */
export function allowance({ timeout, moreTime }: Limits): string {
  const more = moreTime === undefined ? "" : ` (${moreTime} gives more)`;
  return `${formatDuration(timeout)} in all${more}`;
}

/**
 * Aborted with the signal, or before it. Not with `AbortSignal.any`: Node.js may garbage-collect a signal that it combines,
 * such as that of a timeout, if nothing else holds it.
 */
export function endingWith(signal: AbortSignal | undefined): AbortController {
  const ended = newController();
  if (signal?.aborted) ended.abort();
  else if (signal !== undefined) onAbort(signal, () => ended.abort(), ended.signal);
  return ended;
}

/** Reason for a signal that is aborted because its work is done. Without a reason, Node.js captures a stack for an error. */
export const isDone = "done";

/** Without a limit for listeners: Node.js would warn of a leak on the screen when more than ten wait. */
export function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Not with the option `signal` of a listener, which Node.js holds weakly: a long-lived signal would keep every wait. */
function onAbort(signal: AbortSignal, work: () => void, unless: AbortSignal | undefined): void {
  signal.addEventListener("abort", work, { once: true });
  unless?.addEventListener("abort", () => signal.removeEventListener("abort", work), { once: true });
}
