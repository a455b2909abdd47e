/**
 * Shows the progress of a wait. Each message replaces the one before. While a rollout is in progress, adds the newest line of a
 * running build's log.
 */
import type { Clock } from "../time/clock";
import { formatDuration, formatSeconds } from "../time/duration";
import { elapsed, type Limits, moment } from "../time/limits";
import { newestLine } from "./revision-log";
import type { Rollout } from "./private-state";
import type { Context } from "./context";
import type { Observed } from "./service";
import * as texts from "./wait-messages";

/** How often to report a wait in a log while nothing changes, and to ask what it waits for; milliseconds. */
const signOfLife = 30_000;

/**
 * Shows a line with the time, from the first second on: if the status has changed, and at intervals. In a terminal it continues with
 * every poll. Returns whether the line is more than a continuation.
 *
 * @param limits of what is waited for, if not those of the operation
 */
export function timedLine(context: Pick<Context, "clock" | "log"> & Limits, limits: Limits = context) {
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

export class RolloutProgress {
  readonly #show: ReturnType<typeof timedLine>;
  #newest: string | undefined;
  #fetching = new AbortController();

  constructor(private readonly context: Context) {
    this.#show = timedLine(context);
  }

  /** @param failure error of the last poll, if it failed */
  show(wait: Rollout, observed: Observed, failure: (Error & { kind?: string }) | undefined): void {
    const { clock, claimant, timeout, log } = this.context;
    const { queuedBehind: behind } = observed;
    const isDue = this.#show(`${texts.statusesText(observed)} ${failure?.kind}`, (time, isDue) => {
      if (isDue) this.end();
      if (this.#newest !== undefined) return texts.building(wait, observed, time, this.#newest);
      if (behind === undefined || failure !== undefined)
        return texts.waitingForRollout(wait, observed, time, failure);
      return texts.queued(behind, claimant.name, formatSeconds(elapsed(clock, this.context)), timeout);
    });
    if (!isDue || failure !== undefined) return;
    const { signal } = (this.#fetching = new AbortController());
    // Fetched in the background. Another message may have been shown meanwhile.
    void newestLine(this.context, observed, signal).then((line) => {
      if (line === undefined || signal.aborted) return;
      this.#newest = line;
      log.progress(texts.building(wait, observed, timeText(clock, this.context), line));
    });
  }

  /** Discards results that are still being fetched. Reports the revision that is active now, if there is one. */
  end(revision?: string | null): void {
    this.#fetching.abort();
    this.#newest = undefined;
    const { clock, log } = this.context;
    if (!revision || elapsed(clock, this.context) < moment) return;
    log.progress(`active after ${formatDuration(elapsed(clock, this.context))}: revision ${revision}`);
  }
}
