import type { Clock } from "../clock";
import { ambiguous, ControlPlaneError, maybeDone, type ErrorKind } from "./errors";

const attempts = 5;
const firstWait = 500;
const longestWait = 8_000;
const passing: readonly ErrorKind[] = ["unreachable", "timeout", "rate-limited", "unavailable", "unreadable"];

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is to be none.
 * A call that may have been done is repeated only if doing it twice is the same as doing it once.
 */
export function waitBefore(
  attempt: number,
  error: unknown,
  options: { repeatable: boolean; random: number },
): number | undefined {
  if (!(error instanceof ControlPlaneError) || attempt >= attempts) return undefined;
  if (!passing.includes(error.kind)) return undefined;
  if (error.maybeDone && !options.repeatable) return undefined;
  if (error.retryAfter !== undefined) return error.retryAfter;
  const wait = Math.min(longestWait, firstWait * 2 ** (attempt - 1));
  return wait * (0.75 + options.random * 0.5);
}

/** Calls until it works, or until another attempt would not help. */
export async function withRetry<T>(
  clock: Clock,
  options: { repeatable: boolean },
  call: () => Promise<T>,
): Promise<T> {
  let isAmbiguous = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (thrown) {
      const error = isAmbiguous ? ambiguous(thrown) : thrown;
      isAmbiguous ||= maybeDone(error);
      const wait = waitBefore(attempt, error, { ...options, random: clock.random() });
      if (wait === undefined) throw error;
      await clock.sleep(wait);
    }
  }
}
