import { setTimeout } from "node:timers/promises";

/** Time, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after a time in milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

/** Node fires a longer timer at once; milliseconds. */
export const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  // Steady: what is measured between two moments does not depend on somebody setting the clock.
  now: () => Math.trunc(performance.timeOrigin + performance.now()),
  sleep: (ms, signal) => setTimeout(Math.min(ms, longestTimer), undefined, { signal }).catch(() => undefined),
  random: () => Math.random(),
};
