/** What is told of a wait, one message in place of the other; while a build runs, with the newest line of its log. */
import { newestLine } from "./log";
import type { Context, Observed } from "./service";

export class Progress {
  #shown = new AbortController();

  constructor(private readonly context: Context) {}

  tell(message: string): void {
    this.end();
    this.context.log.progress(message);
  }

  /**
   * Asks for the newest line, which takes the place of what was told when it comes. The wait does not wait for it, and
   * another message that comes first stays.
   */
  showLog(observed: Observed, withLine: (line: string) => string): void {
    const { signal } = (this.#shown = new AbortController());
    void newestLine(this.context, observed, signal).then((line) => {
      if (line !== undefined && !signal.aborted) this.context.log.progress(withLine(line));
    });
  }

  /** Nothing is told any more of what was asked for before. */
  end(): void {
    this.#shown.abort();
  }
}
