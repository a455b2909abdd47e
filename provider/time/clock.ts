/** The clock. Tests replace it with virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after a time in milliseconds, or once the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs the work after a time in milliseconds, unless the signal is aborted first. */
  later(ms: number, signal: AbortSignal, work: () => void): void;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

/** The longest timer in milliseconds; Node.js fires longer ones at once. */
export const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  // Monotonic, so that changes of the system time do not affect measured durations.
  now: () => Math.trunc(performance.timeOrigin + performance.now()),
  sleep,
  later: (ms, signal, work) => void systemClock.sleep(ms, signal).then(() => signal.aborted || work()),
  random: () => Math.random(),
};

/** Unlike `node:timers/promises`, does not create an error when a sleep is aborted, which happens to almost every one. */
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
