/** Time, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after a time in milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Does something after a time in milliseconds, unless the signal is aborted before. Nothing waits for it. */
  later(ms: number, signal: AbortSignal, work: () => void): void;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

/** Node fires a longer timer at once; milliseconds. */
export const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  // Steady: what is measured between two moments does not depend on somebody setting the clock.
  now: () => Math.trunc(performance.timeOrigin + performance.now()),
  sleep,
  later: (ms, signal, work) => void systemClock.sleep(ms, signal).then(() => signal.aborted || work()),
  random: () => Math.random(),
};

/** That of `node:timers/promises` makes an error of each sleep that is ended early, which is nearly every one. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, longestTimer));
    signal?.addEventListener("abort", end);
  });
}
