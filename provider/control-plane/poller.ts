/** All waits for rollouts and deletions poll together: one timer, and one request for up to 100 deployments. */
import type { Clock } from "../time/clock";
import type { Observed } from "../deployment/service";
import { type Limits, nextPause } from "../time/limits";
import { ReadQueue, type ReadResults } from "./read-results";
import { sameId } from "./pagination";

export class Poller {
  readonly #waiting = new ReadQueue<PollRequest>();
  /** The ids of what was waited for at the last poll or since, so that only a new wait resets the interval. */
  #known = new Set<string>();
  #interval: number;
  /** When the next poll is due, in milliseconds since the epoch. */
  #due = Infinity;
  #wake: AbortController | undefined;
  #isTicking = false;

  constructor(
    private readonly ask: (asked: readonly PollRequest[], limits: Limits) => Promise<ReadResults>,
    private readonly clock: Clock,
    /** Delay before the first poll; milliseconds. */
    private readonly firstInterval: number,
  ) {
    this.#interval = firstInterval;
  }

  /** The deployment as of the next shared poll. Aborting the signal leaves the poll, and stops it once nothing waits. */
  poll(request: PollRequest, limits: Limits): Promise<Observed | undefined> {
    const polled = this.#waiting.join(request, limits, () => {
      if (this.#waiting.size === 0) this.#wake?.abort();
    });
    const id = sameId(request.id);
    if (!this.#known.has(id)) this.#welcome(id);
    if (!this.#isTicking) void this.#tick();
    return polled;
  }

  /** A new wait resets the interval to the first one. It never delays a poll that is already due earlier. */
  #welcome(id: string): void {
    this.#known.add(id);
    this.#interval = this.firstInterval;
    const due = this.clock.now() + this.#interval;
    if (due >= this.#due) return;
    this.#due = due;
    this.#wake?.abort();
  }

  /** The pace of rollouts and deletions: when the next poll is due, unless a new wait brings it forward. */
  #nextPoll(): number {
    return this.clock.now() + this.#interval * (0.9 + this.clock.random() * 0.2);
  }

  async #tick(): Promise<void> {
    this.#isTicking = true;
    while (this.#waiting.size > 0) {
      this.#due = this.#nextPoll();
      await this.#pause();
      this.#interval = nextPause(this.#interval);
      await this.#waiting.answer(this.ask);
      // Waits that continue ask again at once, so let them do so before the loop ends.
      await new Promise((resolve) => setImmediate(resolve));
      this.#known = new Set(this.#waiting.ids());
    }
    this.#isTicking = false;
    this.#due = Infinity;
    this.#interval = this.firstInterval;
  }

  /** Sleeps until the next poll is due, which a new wait may bring forward, or until nothing waits. */
  async #pause(): Promise<void> {
    for (;;) {
      const wake = new AbortController();
      this.#wake = wake;
      await this.clock.sleep(Math.max(0, this.#due - this.clock.now()), wake.signal);
      if (!wake.signal.aborted || this.#waiting.size === 0) return;
    }
  }
}

/** A deployment to poll, and whether the poll waits for its deletion. */
export interface PollRequest {
  readonly id: string;
  readonly awaitsDeletion: boolean;
}
