/** Shows the progress of a wait, with the newest line of a running build's log. Each message replaces the one before. */
import { formatDuration, formatSeconds } from "../time/duration";
import { elapsed, moment } from "../time/limits";
import { timedLine, timeText } from "../time/timed-line";
import { newestLine } from "./revision-log";
import type { Rollout } from "./private-state";
import type { Context } from "./context";
import type { Observed } from "./service";
import * as texts from "./wait-messages";

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
      return texts.queued(behind, claimant, formatSeconds(elapsed(clock, this.context)), timeout);
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
