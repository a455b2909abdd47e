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

/** Returns whether it is time for a message: at once if the status has changed, then at intervals. */
function heartbeat(clock: Clock, interval = signOfLife): (status: string) => boolean {
  let reported = { status: "", at: 0 };
  return (status) => {
    const isTime = status !== reported.status || clock.now() - reported.at >= interval;
    if (isTime) reported = { status, at: clock.now() };
    return isTime;
  };
}

/**
 * Shows a line with the time, from the first second on. In a terminal it continues with every poll.
 *
 * @param limits of what is waited for, if not those of the operation
 */
export function timedLine(context: Pick<Context, "clock" | "log"> & Limits, limits: Limits = context) {
  const isTime = heartbeat(context.clock, context.log.isWatched ? 0 : signOfLife);
  return (status: string, line: (time: string) => string): void => {
    if (elapsed(context.clock, limits) < moment) return;
    if (isTime(status)) limits.tell(line(timeText(context.clock, limits)));
  };
}

/** `1m11s of 30m`: the elapsed time, in whole seconds, and all that there is. */
export function timeText(clock: Clock, limits: Limits): string {
  return `${formatSeconds(elapsed(clock, limits))} of ${formatDuration(limits.timeout)}`;
}

export class RolloutProgress {
  readonly #isTime: (status: string) => boolean;
  #line: () => string = () => "";
  #shown = new AbortController();

  constructor(private readonly context: Context) {
    this.#isTime = heartbeat(context.clock);
  }

  /** @param failure error of the last poll, if it failed */
  show(wait: Rollout, observed: Observed, failure: (Error & { kind?: string }) | undefined): void {
    const { context } = this;
    const { clock, claimant } = context;
    if (this.#isShort()) return;
    if (!this.#isTime(`${texts.statusesText(observed)} ${failure?.kind}`)) {
      if (context.log.isWatched) context.log.progress(this.#line());
      return;
    }
    this.end();
    this.#shown = new AbortController();
    const { signal } = this.#shown;
    const { queuedBehind: behind } = observed;
    const { timeout } = context;
    this.#tell(() =>
      behind !== undefined && failure === undefined
        ? texts.queued(behind, claimant.name, formatSeconds(elapsed(clock, context)), timeout)
        : texts.waitingForRollout(wait, observed, timeText(clock, context), failure),
    );
    if (failure !== undefined) return;
    // Fetched in the background. Another message may have been shown meanwhile.
    void newestLine(context, observed, signal).then((line) => {
      if (line === undefined || signal.aborted) return;
      this.#tell(() => texts.building(wait, observed, timeText(clock, context), line));
    });
  }

  /** Discards results that are still being fetched. Reports the revision that is active now, if there is one. */
  end(revision?: string | null): void {
    this.#shown.abort();
    if (!revision || this.#isShort()) return;
    const after = formatDuration(elapsed(this.context.clock, this.context));
    this.context.log.progress(`active after ${after}: revision ${revision}`);
  }

  /** Each message costs time in the engine, and nobody sees one of the first second. */
  #isShort(): boolean {
    return elapsed(this.context.clock, this.context) < moment;
  }

  #tell(line: () => string): void {
    this.#line = line;
    this.context.log.progress(line());
  }
}
