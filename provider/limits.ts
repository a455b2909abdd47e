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
  /** Aborted when the user does not want to wait any longer. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Says on the screen what is waited for, and for how long; the next message takes its place. Given an error, it repeats of
   * the service's words no secret of the operation. Never fails.
   */
  readonly tell: (waitsFor: string | Error, time?: string) => void;
}

/** Why a wait ended before what it was for. */
export type End = "out of time" | "interrupted";

/** Shorter waits are nobody's business; milliseconds. */
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
  return Promise.race([work.then((value) => ({ value })), end]).finally(() => ended.abort());
}

/** Limits of what several operations wait for together: it goes on while one of them still waits. */
export function together(all: readonly Limits[]): Limits {
  const last = all.reduce((a, b) => (a.deadline >= b.deadline ? a : b));
  return {
    ...last,
    signal: signalOfAll(all.map(({ signal }) => signal)),
    tell: (waitsFor, time) => all.forEach(({ tell }) => tell(waitsFor, time)),
  };
}

/**
 * Limits for what must be known although the time is up or the user has had enough: what became of something that was
 * sent. So many milliseconds more.
 *
 * @param ended aborted when it is known
 */
export function extended(clock: Clock, limits: Limits, ms: number, ended?: AbortSignal): Limits {
  return {
    ...limits,
    deadline: Math.max(limits.deadline, clock.now() + ms),
    signal: limits.signal && delayed(clock, limits.signal, ms, limits.tell, ended),
  };
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
 * Aborted with the signal, or before it. Not `AbortSignal.any`: of what that combines, Node.js may forget what nobody else
 * holds, a signal of a time-out for one.
 */
export function endingWith(signal: AbortSignal | undefined): AbortController {
  const ended = new AbortController();
  // As many may listen as wait: Node.js would take more than ten for a leak, and say so on the screen.
  setMaxListeners(0, ended.signal);
  if (signal?.aborted) ended.abort();
  else if (signal !== undefined) onAbort(signal, () => ended.abort(), ended.signal);
  return ended;
}

/**
 * Does something at an abort that comes before another. Not with the option `signal` of a listener, which Node.js holds
 * weakly and may forget: a signal that lives as long as the process would keep what every wait has held.
 */
function onAbort(signal: AbortSignal, work: () => void, unless: AbortSignal | undefined): void {
  signal.addEventListener("abort", work, { once: true });
  unless?.addEventListener("abort", () => signal.removeEventListener("abort", work), { once: true });
}

function signalOfAll(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const distinct = [...new Set(signals)];
  if (distinct.length <= 1 || distinct.includes(undefined))
    return distinct.length === 1 ? distinct[0] : undefined;
  const all = new AbortController();
  setMaxListeners(0, all.signal);
  const check = () => {
    if (distinct.every((signal) => signal!.aborted)) all.abort();
  };
  for (const signal of distinct) signal!.addEventListener("abort", check, { once: true });
  check();
  return all.signal;
}

function delayed(
  clock: Clock,
  signal: AbortSignal,
  ms: number,
  tell: Limits["tell"],
  ended?: AbortSignal,
): AbortSignal {
  const later = new AbortController();
  setMaxListeners(0, later.signal);
  const begin = () => {
    clock.later(moment, ended ?? later.signal, () =>
      tell(`interrupted: finding out what was made, for at most ${formatDuration(ms)}`),
    );
    void clock.sleep(ms, ended).then(() => later.abort());
  };
  if (signal.aborted) begin();
  else onAbort(signal, begin, ended);
  return later.signal;
}
