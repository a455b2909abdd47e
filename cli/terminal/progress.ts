/** Shows on standard error how far a long command is: on a terminal a line that moves, in a log a line now and then. */
import type { Clock } from "../../provider/time/clock";
import { formatSeconds } from "../../provider/time/duration";
import { doneReason, newController } from "../../provider/time/limits";
import { pace, paced, type Count } from "../../provider/time/pace";
import type { Io } from "../command";

export class Progress {
  /** What to show now. */
  text: () => string = () => "";
  readonly #ended = newController();
  readonly #began: number;
  #count: Count;

  constructor(
    private readonly stderr: Io["stderr"],
    private readonly clock: Clock,
  ) {
    this.#began = clock.now();
    this.#count = this.#paced();
    void this.#tick();
  }

  /** Shows the text at once, because it says something new. */
  changed(): void {
    this.#show(this.text());
    this.#count = this.#paced();
  }

  /** In whole seconds. */
  elapsed(): string {
    return formatSeconds(this.clock.now() - this.#began);
  }

  end(): void {
    this.#ended.abort(doneReason);
    this.stderr.line?.("");
  }

  async #tick(): Promise<void> {
    const { signal } = this.#ended;
    for (;;) {
      await this.clock.sleep(pace(true), signal);
      if (signal.aborted) return;
      this.#count(this.text);
    }
  }

  #paced(): Count {
    return paced(this.clock, this.stderr.line !== undefined, (text) => this.#show(text));
  }

  #show(text: string): void {
    if (text === "") return;
    if (this.stderr.line === undefined) this.stderr.write(`${text}\n`);
    else this.stderr.line(text);
  }
}

export async function withProgress<T>(
  { stderr }: Pick<Io, "stderr">,
  clock: Clock,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = new Progress(stderr, clock);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

export async function collect<T>(
  pages: AsyncIterable<readonly T[]>,
  what: string,
  progress: Progress,
  total?: number,
): Promise<T[]> {
  const all: T[] = [];
  const of = total === undefined ? "so far" : `of ${total}`;
  progress.text = () => `reading ${what}: ${all.length} ${of}, ${progress.elapsed()}`;
  for await (const page of pages) for (const item of page) all.push(item);
  return all;
}
