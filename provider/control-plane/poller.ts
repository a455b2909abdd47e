/** Everything that waits for a rollout or a deletion polls together: one timer, and one request for up to 100. */
import type { Clock } from "../clock";
import { isDeleting, type Observed } from "../deployment/service";
import { type Limits, together } from "../limits";
import { type ReadResults, sameId } from "./read-results";
import { chunksOf } from "./pagination";

const longestInterval = 15_000;
const growth = 1.5;

interface Waiting extends PollRequest {
  readonly limits: Limits;
  readonly resolve: (found: Promise<Observed | undefined>) => void;
}

export class Poller {
  #waiting: Waiting[] = [];
  #known = new Set<string>();
  #interval: number;
  /** When the next poll is due, in milliseconds since the epoch. */
  #due = Infinity;
  #wake: AbortController | undefined;
  #isTicking = false;

  constructor(
    private readonly ask: (asked: readonly PollRequest[], limits: Limits) => Promise<ReadResults>,
    private readonly clock: Clock,
    /** Before the first poll, in milliseconds. */
    private readonly firstInterval: number,
  ) {
    this.#interval = firstInterval;
  }

  /** The deployment at the next poll, which everything that waits shares. Whoever gives up aborts the signal. */
  poll({ id, isDeleted }: PollRequest, limits: Limits): Promise<Observed | undefined> {
    return new Promise((resolve) => {
      const waiting = { id, isDeleted, limits, resolve };
      this.#waiting.push(waiting);
      limits.signal?.addEventListener("abort", () => this.#leave(waiting), { once: true });
      if (!this.#known.has(sameId(id))) this.#welcome(sameId(id));
      if (!this.#isTicking) void this.#tick();
    });
  }

  /** Something new to wait for brings the pace back to the first interval; it never puts a poll off. */
  #welcome(id: string): void {
    this.#known.add(id);
    this.#interval = this.firstInterval;
    const due = this.clock.now() + this.#interval;
    if (due >= this.#due) return;
    this.#due = due;
    this.#wake?.abort();
  }

  /** Where nobody is left, there is no poll either. */
  #leave(one: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== one);
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
      await this.#resolve(batch);
      // Whoever goes on waiting asks again at once: let them, before this ends.
      await new Promise((resolve) => setImmediate(resolve));
      this.#known = new Set(this.#waiting.map(({ id }) => sameId(id)));
    }
    this.#isTicking = false;
    this.#due = Infinity;
    this.#interval = this.firstInterval;
  }

  /** Sleeps until the next poll is due, also when a newcomer has brought that forward; not for nobody. */
  async #pause(): Promise<void> {
    for (;;) {
      const wake = (this.#wake = new AbortController());
      await this.clock.sleep(Math.max(0, this.#due - this.clock.now()), wake.signal);
      if (!wake.signal.aborted || this.#waiting.length === 0) return;
    }
  }

  async #resolve(batch: readonly Waiting[]): Promise<void> {
    const distinct = new Map(batch.map((each) => [sameId(each.id), each]));
    await Promise.all(
      chunksOf([...distinct.values()]).map(async (chunk) => {
        const isInChunk = new Set(chunk.map(({ id }) => sameId(id)));
        const concerned = batch.filter(({ id }) => isInChunk.has(sameId(id)));
        const polling = this.ask(chunk, together(concerned.map(({ limits }) => limits)));
        for (const { id, resolve } of concerned) resolve(polling.then((found) => found.get(id)));
        await polling.catch(() => undefined);
      }),
    );
  }
}

/** A deployment that is asked for, and whether its deletion is waited for. */
export interface PollRequest {
  readonly id: string;
  readonly isDeleted: boolean;
}

/**
 * What it means that the list does not hold a deployment. Whether a service lists what is still being deleted is not
 * said anywhere: it is learnt from its responses.
 */
export class AbsenceCheck {
  /** Undefined while nobody has seen the one or the other. */
  #listHoldsDeleting: boolean | undefined;

  /** @param one asks for one by itself */
  constructor(private readonly one: (id: string, limits: Limits) => Promise<Observed | undefined>) {}

  /** Adds to a response of the list what it leaves out, and is there all the same. */
  async complete(found: ReadResults, asked: readonly PollRequest[], limits: Limits): Promise<void> {
    if (found.known().some(isDeleting)) this.#listHoldsDeleting = true;
    const absent = asked.filter(({ id }) => !found.has(id));
    const deleted = absent.filter(({ isDeleted }) => isDeleted);
    const lost = absent.filter(({ isDeleted }) => !isDeleted);
    await Promise.all([this.#add(lost, found, limits), this.#addDeleted(deleted, found, limits)]);
  }

  /**
   * Deletions that the service has accepted. Where its list holds those under way, one that it does not hold has ended. Where
   * nobody knows, one of them stands for all: it is there only if the list keeps such ones to itself.
   */
  async #addDeleted(
    [first, ...others]: readonly PollRequest[],
    found: ReadResults,
    limits: Limits,
  ): Promise<void> {
    if (first === undefined || this.#listHoldsDeleting === true) return;
    await this.#add([first], found, limits);
    if (found.has(first.id)) this.#listHoldsDeleting = false;
    if (this.#listHoldsDeleting === false) await this.#add(others, found, limits);
  }

  async #add(asked: readonly PollRequest[], found: ReadResults, limits: Limits): Promise<void> {
    await Promise.all(
      asked.map(async ({ id }) => {
        const result = await this.one(id, limits).catch((error: unknown) => error as Error);
        if (result !== undefined) found.set(id, result);
      }),
    );
  }
}
