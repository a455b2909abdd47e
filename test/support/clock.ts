/** Clocks that tests control. */
import type { Clock } from "../../provider/time/clock";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Time that stands still until it is advanced. Sleepers wake in order. */
export class VirtualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #now: number;

  constructor(start = Date.parse("2030-01-01T00:00:00Z")) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** No jitter, unless a test sets it. */
  random = (): number => 0.5;

  /** How many sleepers there are, which are timers with a real clock. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
    });
  }

  later(ms: number, signal: AbortSignal, work: () => void): void {
    void this.sleep(ms, signal).then(() => signal.aborted || work());
  }

  /** Lets time pass between two commands, while nothing is under way. */
  pass(ms: number): void {
    this.#now += ms;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    while (this.wakeNext(end)) await settled();
    this.#now = end;
  }

  /** Advances time until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const finish = () => void (isDone = true);
    work.then(finish, finish);
    for (await settled(); !isDone; await settled()) {
      if (!this.wakeNext()) throw new Error("the work waits for something that is not time");
    }
    return work;
  }

  /** Advances time to the next sleeper that wakes by then, if there is one. */
  protected wakeNext(end = Infinity): boolean {
    const due = [...this.#sleepers].filter(({ until }) => until <= end);
    const [next] = due.sort((a, b) => a.until - b.until);
    if (next === undefined) return false;
    this.#now = Math.max(this.#now, next.until);
    next.wake();
    return true;
  }
}

/** The longest sleep that ends. Longer ones are deadlines, which these tests do not reach. */
const longestSleep = 60_000;

/** A clock whose sleeps end at once, for work with a real server. */
export class RecordingClock implements Clock {
  /** What was slept, in milliseconds. */
  readonly slept: number[] = [];
  #now = Date.parse("2030-01-01T00:00:00Z");

  now(): number {
    return this.#now;
  }

  /** A request takes no time by this clock. */
  later(): void {}

  random(): number {
    return 0.5;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > longestSleep) return new Promise((end) => signal?.addEventListener("abort", () => end()));
    this.slept.push(ms);
    this.#now += ms;
    return Promise.resolve();
  }
}

/** Waits until nothing more happens without time passing. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve));
}
