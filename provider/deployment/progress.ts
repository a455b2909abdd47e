/**
 * Shows the progress of a wait. Each message replaces the one before. Adds the newest line of a running build's log, or the
 * revision that a queued one waits for.
 */
import { newestLine } from "./log";
import type { Queue } from "./queue";
import type { Context } from "./context";
import type { Observed, Revision } from "./service";

export class WaitProgress {
  #shown = new AbortController();

  constructor(private readonly context: Context) {}

  tell(message: string): void {
    this.end();
    this.#shown = new AbortController();
    this.context.log.progress(message);
  }

  /**
   * Fetches the newest line in the background, and shows it unless another message has been shown meanwhile.
   */
  showLog(observed: Observed, withLine: (line: string) => string): void {
    const { signal } = this.#shown;
    void newestLine(this.context, observed, signal).then((line) => {
      if (line !== undefined && !signal.aborted) this.context.log.progress(withLine(line));
    });
  }

  /** The same for the revision that a queued one waits for. */
  showQueue(queue: Queue, observed: Observed, withFirst: (first: Revision) => string): void {
    const { signal } = this.#shown;
    void queue.ask(observed, signal).then((first) => {
      if (first !== undefined && !signal.aborted) this.context.log.progress(withFirst(first));
    });
  }

  /** Discards results that are still being fetched. */
  end(): void {
    this.#shown.abort();
  }
}
