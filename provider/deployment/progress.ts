/**
 * What is told of a wait, one message in place of the other: while a build runs, with the newest line of its log; of a
 * revision that is queued, behind which one.
 */
import { newestLine } from "./log";
import type { Queue } from "./queue";
import type { Context, Observed, Revision } from "./service";

export class WaitProgress {
  #shown = new AbortController();

  constructor(private readonly context: Context) {}

  tell(message: string): void {
    this.end();
    this.#shown = new AbortController();
    this.context.log.progress(message);
  }

  /**
   * Asks for the newest line, which takes the place of what was told when it comes. The wait does not wait for it, and
   * another message that comes first stays.
   */
  showLog(observed: Observed, withLine: (line: string) => string): void {
    const { signal } = this.#shown;
    void newestLine(this.context, observed, signal).then((line) => {
      if (line !== undefined && !signal.aborted) this.context.log.progress(withLine(line));
    });
  }

  /** The same for the revision that a queued one waits behind. */
  showQueue(queue: Queue, observed: Observed, withFirst: (first: Revision) => string): void {
    const { signal } = this.#shown;
    void queue.ask(observed, signal).then((first) => {
      if (first !== undefined && !signal.aborted) this.context.log.progress(withFirst(first));
    });
  }

  /** Nothing is told any more of what was asked for before. */
  end(): void {
    this.#shown.abort();
  }
}
