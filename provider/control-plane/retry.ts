import type { Clock } from "../clock";
import { pause, type Limits } from "../limits";
import { endedAgain, notAgain } from "./transport-error";
import { asAmbiguous, ControlPlaneError, hasAmbiguousOutcome, isKind, transientKinds } from "../errors";

const attempts = 5;
/** A service that is too busy and does not say for how long may be so for a minute. */
const attemptsWhenBusy = 8;
const firstWait = 500;
const longestWait = 8_000;
/** A request, or a call with its retries, that takes longer than this is worth a word; milliseconds. */
export const silence = 5_000;

export interface Retry {
  /** Whether doing it twice is the same as doing it once. */
  readonly idempotent: boolean;
  /** Not more than one attempt, where whoever asks comes again anyway. */
  readonly isOnce?: boolean | undefined;
}

/** Whether the service asks the whole connection to come back later: then the gate waits, and not the call. */
export function isHeld({ status, retryAfter }: Pick<ControlPlaneError, "status" | "retryAfter">): boolean {
  return status === 429 || (status === 503 && retryAfter !== undefined);
}

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is to be none.
 * A call that may have been done is repeated only if doing it twice is the same as doing it once.
 */
export function waitBefore(
  attempt: number,
  error: unknown,
  { idempotent, isOnce = false, random }: Retry & { readonly random: number },
): number | undefined {
  if (!(error instanceof ControlPlaneError) || error.isFinal || isOnce) return undefined;
  if (!transientKinds.includes(error.kind)) return undefined;
  if (error.isAmbiguous && !idempotent) return undefined;
  if (isHeld(error)) return error.retryAfter !== undefined || attempt < attemptsWhenBusy ? 0 : undefined;
  if (attempt >= attempts) return undefined;
  if (error.retryAfter !== undefined) return Math.max(firstWait, error.retryAfter);
  const wait = Math.min(longestWait, firstWait * 2 ** (attempt - 1));
  return wait * (0.75 + random * 0.5);
}

/** Calls until it works, until another attempt would not help, or until the limits end. */
export async function withRetry<T>(
  clock: Clock,
  limits: Limits,
  options: Retry,
  call: (last: ControlPlaneError | undefined) => Promise<T>,
): Promise<T> {
  const started = clock.now();
  let last: ControlPlaneError | undefined;
  for (let attempt = 1; ;) {
    try {
      return await call(last);
    } catch (thrown) {
      const error = last !== undefined && hasAmbiguousOutcome(last) ? asAmbiguous(thrown) : thrown;
      if (last !== undefined && isKind(error, "out-of-time", "interrupted")) throw endedAgain(last, error);
      const wait = waitBefore(attempt, error, { ...options, random: clock.random() });
      if (wait === undefined) throw error;
      last = error as ControlPlaneError;
      // Waiting for the time that the service named is no attempt.
      if (!isHeld(last) || last.retryAfter === undefined) attempt++;
      const isLong = Math.max(wait, clock.now() - started) >= silence;
      const waitsFor = isLong ? last : undefined;
      const end = wait === 0 ? undefined : await pause(clock, limits, wait, waitsFor);
      if (end !== undefined) throw notAgain(last, end, limits, wait);
    }
  }
}
