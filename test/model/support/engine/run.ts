/** One command: what is under way side by side, how it ended, and whether anything may still begin. */

export interface Outcome {
  readonly urn: string;
  readonly operation:
    "check" | "diff" | "create" | "update" | "delete" | "refresh" | "import" | "same" | "replace";
  readonly error?: Error;
  /** The command was killed before it ended. */
  readonly isKilled?: boolean;
}

export class Run {
  readonly outcomes: Outcome[] = [];
  /** URNs that the program has registered, and the former ones of what it renamed. */
  readonly registered = new Set<string>();
  #isKilled = false;
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(parallel: number) {
    this.#free = parallel;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Nothing that is under way is heard of any more. */
  kill(): void {
    this.#isKilled = true;
  }

  get hasStopped(): boolean {
    return this.#isKilled || this.outcomes.some(({ error }) => error !== undefined);
  }

  /** Runs next to the others, as many at a time as the engine allows. */
  async beside(step: () => Promise<void>, mayBegin = () => !this.hasStopped): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      if (mayBegin()) await step();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** Whether it ended well; how it ended is noted in any case. */
  async attempt(urn: string, operation: Outcome["operation"], work: () => Promise<void>): Promise<boolean> {
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    this.note(urn, operation, error);
    return !this.#isKilled && error === undefined;
  }

  note(urn: string, operation: Outcome["operation"], error?: Error): void {
    const end = this.#isKilled ? { isKilled: true } : error && { error };
    this.outcomes.push({ urn, operation, ...end });
  }
}
