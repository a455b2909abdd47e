/**
 * Shows the progress of a wait. Each message replaces the one before. While a rollout is in progress, adds the newest line of a
 * running build's log, or the revision that a queued one waits for.
 */
import type { Clock } from "../clock";
import { formatDuration } from "../duration";
import { elapsed } from "../limits";
import { newestLine } from "./log";
import { Queue } from "./queue";
import type { Context } from "./context";
import type { Observed, Revision } from "./service";
import * as texts from "./wait-messages";

/** How often to report a wait while nothing changes; milliseconds. */
const signOfLife = 30_000;

/** Returns whether it is time for a message: at once if the status has changed, then at intervals. */
export function heartbeat(clock: Clock): (status: string) => boolean {
  let reported = { status: "", at: 0 };
  return (status) => {
    const isTime = status !== reported.status || clock.now() - reported.at >= signOfLife;
    if (isTime) reported = { status, at: clock.now() };
    return isTime;
  };
}

export class RolloutProgress {
  readonly #queue: Queue;
  readonly #isTime: (status: string) => boolean;
  #shown = new AbortController();

  constructor(private readonly context: Context) {
    this.#queue = new Queue(context);
    this.#isTime = heartbeat(context.clock);
  }

  /** The revision that blocks the latest one, as far as is known. */
  firstBefore(observed: Observed): Revision | undefined {
    return this.#queue.firstBefore(observed);
  }

  /** @param failure error of the last poll, if it failed */
  show(wait: texts.NamedRollout, observed: Observed, failure: (Error & { kind?: string }) | undefined): void {
    if (!this.#isTime(`${texts.formatStatus(observed)} ${failure?.kind}`)) return;
    const { clock, log, timeout } = this.context;
    this.end();
    const { signal } = (this.#shown = new AbortController());
    const [elapsed, most] = [this.#elapsed(), formatDuration(timeout)];
    const time = `${elapsed} of ${most}`;
    const queued = (first: Revision) => texts.queued(wait, first, clock, { elapsed, timeout: most });
    const first = failure === undefined ? this.firstBefore(observed) : undefined;
    log.progress(first ? queued(first) : texts.waitingForRollout(wait, observed, time, failure));
    if (failure !== undefined) return;
    /** Shows what is fetched in the background, unless another message has been shown meanwhile. */
    const add = async <T>(found: Promise<T | undefined>, text: (found: T) => string) => {
      const value = await found;
      if (value !== undefined && !signal.aborted) log.progress(text(value));
    };
    void add(newestLine(this.context, observed, signal), (line) =>
      texts.building(wait, observed, time, line),
    );
    void add(this.#queue.ask(observed, signal), queued);
  }

  /**
   * Discards results that are still being fetched.
   *
   * @param revision the id of the one that is active now
   */
  end(revision?: string | null): void {
    this.#shown.abort();
    if (revision) this.context.log.progress(`active after ${this.#elapsed()}: revision ${revision}`);
  }

  #elapsed(): string {
    return formatDuration(elapsed(this.context.clock, this.context));
  }
}
