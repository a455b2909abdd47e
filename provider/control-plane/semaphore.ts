/** Lets at most so many run at a time; the rest wait in order. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  take(): Place {
    if (this.#free > 0) {
      this.#free--;
      return { turn: undefined, release: once(() => this.#pass()) };
    }
    let start!: () => void;
    const turn = new Promise<void>((resolve) => (start = resolve));
    this.#waiting.add(start);
    // Whoever gives up before its turn leaves the queue; nobody else moves for that.
    return { turn, release: once(() => this.#waiting.delete(start) || this.#pass()) };
  }

  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}

export interface Place {
  /** Resolves when it is free; undefined where it is at once. */
  readonly turn: Promise<void> | undefined;
  readonly release: () => void;
}

function once(work: () => unknown): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
