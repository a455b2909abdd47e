/** The line next to a resource that waits. Each message replaces the one before. */
import type { Clock } from "./clock";
import { formatDuration, formatSeconds } from "./duration";
import { elapsed, type Limits, moment } from "./limits";

interface Timed {
  readonly clock: Clock;
  readonly log: { readonly isWatched: boolean };
}

/** How often to report a wait in a log while nothing changes, and to ask what it waits for; milliseconds. */
const signOfLife = 30_000;

/**
 * Shows a line with the time, from the first second on: if the status has changed, and at intervals. In a terminal it continues with
 * every poll. Returns whether the line is more than a continuation.
 *
 * @param limits of what is waited for, if not those of the operation
 */
export function timedLine(context: Timed & Limits, limits: Limits = context) {
  const { clock, log } = context;
  let reported = { status: "", at: 0 };
  return (status: string, line: (time: string, isDue: boolean) => string): boolean => {
    // Each message costs time in the engine, and nobody sees one of the first second.
    if (elapsed(clock, limits) < moment) return false;
    const isDue = status !== reported.status || clock.now() - reported.at >= signOfLife;
    if (isDue) reported = { status, at: clock.now() };
    if (isDue || log.isWatched) limits.tell(line(timeText(clock, limits), isDue));
    return isDue;
  };
}

/** `1m11s of 30m`: the elapsed time, in whole seconds, and all that there is. */
export function timeText(clock: Clock, limits: Limits): string {
  return `${formatSeconds(elapsed(clock, limits))} of ${formatDuration(limits.timeout)}`;
}
