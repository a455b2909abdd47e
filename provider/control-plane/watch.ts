/** Everything that waits for a rollout or a deletion looks together: one timer, and one request for up to 100. */
import type { Clock } from "../clock";
import type { Observed } from "../deployment/service";
import { together, type Limits } from "../limits";
import type { Asked } from "./absence";
import { sameId, type Found } from "./found";
import { chunksOf } from "./listing";

const longestInterval = 15_000;
const growth = 1.5;

interface Waiting extends Asked {
  readonly limits: Limits;
  readonly answer: (found: Promise<Observed | undefined>) => void;
}

export class Watch {
  #waiting: Waiting[] = [];
  #known = new Set<string>();
  #interval: number;
  /** When the next look is due, in milliseconds since the epoch. */
  #due = Infinity;
  #wake: AbortController | undefined;
  #isTicking = false;

  constructor(
    private readonly ask: (asked: readonly Asked[], limits: Limits) => Promise<Found>,
    private readonly clock: Clock,
    /** Before the first look, in milliseconds. */
    private readonly firstInterval: number,
  ) {
    this.#interval = firstInterval;
  }

  /** The deployment at the next look, which everything that waits shares. Whoever gives up aborts the signal. */
  look({ id, isDeleted }: Asked, limits: Limits): Promise<Observed | undefined> {
    return new Promise((answer) => {
      const waiting = { id, isDeleted, limits, answer };
      this.#waiting.push(waiting);
      limits.signal?.addEventListener("abort", () => this.#leave(waiting), { once: true });
      if (!this.#known.has(sameId(id))) this.#welcome(sameId(id));
      if (!this.#isTicking) void this.#tick();
    });
  }

  /** Something new to wait for brings the pace back to the first interval; it never puts a look off. */
  #welcome(id: string): void {
    this.#known.add(id);
    this.#interval = this.firstInterval;
    const due = this.clock.now() + this.#interval;
    if (due >= this.#due) return;
    this.#due = due;
    this.#wake?.abort();
  }

  /** Where nobody is left, there is no look either. */
  #leave(gone: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== gone);
    if (this.#waiting.length === 0) this.#wake?.abort();
  }

  async #tick(): Promise<void> {
    this.#isTicking = true;
    while (this.#waiting.length > 0) {
      this.#due = this.clock.now() + this.#interval * (0.9 + this.clock.random() * 0.2);
      await this.#pause();
      const batch = this.#waiting;
      this.#waiting = [];
      this.#interval = Math.min(longestInterval, this.#interval * growth);
      await this.#answer(batch);
      // Whoever goes on waiting asks again at once: let them, before this ends.
      await new Promise((resolve) => setImmediate(resolve));
      this.#known = new Set(this.#waiting.map(({ id }) => sameId(id)));
    }
    this.#isTicking = false;
    this.#due = Infinity;
    this.#interval = this.firstInterval;
  }

  /** Sleeps until the next look is due, also when a newcomer has brought that forward; not for nobody. */
  async #pause(): Promise<void> {
    for (;;) {
      const wake = (this.#wake = new AbortController());
      await this.clock.sleep(Math.max(0, this.#due - this.clock.now()), wake.signal);
      if (!wake.signal.aborted || this.#waiting.length === 0) return;
    }
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    const distinct = new Map(batch.map((each) => [sameId(each.id), each]));
    await Promise.all(
      chunksOf([...distinct.values()]).map(async (chunk) => {
        const isInChunk = new Set(chunk.map(({ id }) => sameId(id)));
        const concerned = batch.filter(({ id }) => isInChunk.has(sameId(id)));
        const looking = this.ask(chunk, together(concerned.map(({ limits }) => limits)));
        for (const { id, answer } of concerned) answer(looking.then((found) => found.get(id)));
        await looking.catch(() => undefined);
      }),
    );
  }
}
