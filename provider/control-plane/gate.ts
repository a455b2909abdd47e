/**
 * What a service that asks to slow down asks of the whole connection, and not of the one call that it answered so:
 * nothing is sent until the time that it names, and from then on requests go out at the pace that it took before.
 */
import type { Clock } from "../clock";
import { endOf, moment, pause, type End, type Limits } from "../limits";

/** A shorter `Retry-After`, or one in the past, would make everything spin; milliseconds. */
const shortest = 500;
/** So that those who were refused together do not come back together, in milliseconds. */
const longestJitter = 1_000;
/** The longest wait where the service does not say how long, in milliseconds. */
const longest = 30_000;
/** Over what time a limit is measured that the service does not tell of, in milliseconds. */
const usualWindow = 10_000;
/** The pace stays a little below what was taken, slows down with each refusal, and grows after a quiet time. */
const margin = 0.95;
const slowdown = 0.7;
const growth = 1.25;
const quiet = 30_000;
/** Requests per millisecond that are never too many: where so few are refused, others use the limit up. */
const slowest = 2 / 1_000;
/** How long it is remembered that a request was taken, in milliseconds. */
const memory = 60_000;

/** A request that was let out. */
export interface Passage {
  readonly at: number;
  /** How often the gate had been closed by then. */
  readonly closings: number;
}

export class Gate {
  #closings = 0;
  /** Refusals since the last request that was taken. */
  #refusals = 0;
  #opensAt = 0;
  #status = 0;
  /** Requests per millisecond; undefined where the service has not asked to slow down. */
  #pace: number | undefined;
  #paceChanged = 0;
  /** When the next request may go by the pace. */
  #next = 0;
  /** When requests went that were taken. */
  #taken: number[] = [];

  constructor(private readonly clock: Clock) {}

  /** Waits until a request may go out; says why not where the limits end first. */
  async pass(limits: Limits): Promise<Passage | { readonly end: End; readonly wait: number }> {
    for (;;) {
      const now = this.clock.now();
      const due = Math.max(now, this.#opensAt, this.#next);
      const at = Math.ceil(due);
      const wait = at - now;
      const end = endOf(this.clock, limits, wait);
      if (end !== undefined) return { end, wait };
      const closings = this.#closings;
      if (this.#pace !== undefined) this.#next = due + 1 / this.#pace;
      const ended =
        wait > 0
          ? await pause(this.clock, limits, wait, wait >= moment ? this.reason : undefined)
          : undefined;
      if (ended !== undefined) return { end: ended, wait };
      // It may have been closed again, or for longer.
      if (closings === this.#closings && this.clock.now() >= this.#opensAt) return { at, closings };
    }
  }

  /** What the service answered when it closed the gate. */
  get reason(): string {
    return `the service asks to slow down (${this.#status})`;
  }

  /** The service took a request, whatever else it thinks of it. */
  took({ at, closings }: Passage): void {
    if (closings === this.#closings) this.#refusals = 0;
    this.#taken.push(at);
    if (this.#taken[0]! < at - memory) this.#taken = this.#taken.filter((each) => each >= at - memory);
    if (this.#pace === undefined || at - this.#paceChanged < quiet) return;
    this.#pace *= growth;
    this.#paceChanged = at;
  }

  /**
   * The service asks to come back later, and not because of what was asked.
   *
   * @param retryAfter what it asks for in milliseconds, if it says so
   * @param status 429 where it takes so many requests in a time and no more; else it does not work now
   */
  close(passage: Passage, status: number, retryAfter: number | undefined): void {
    const now = this.clock.now();
    // What was under way when the gate was closed is refused for the same reason as the first.
    const isFirst = passage.closings === this.#closings;
    if (isFirst) {
      this.#closings++;
      this.#refusals++;
      if (status === 429) this.#slowDown(now, retryAfter ?? usualWindow);
    }
    const asked = retryAfter !== undefined && retryAfter >= shortest ? retryAfter : this.#backOff();
    this.#status = status;
    const jitter = Math.min(longestJitter, asked / 10) * this.clock.random();
    this.#opensAt = Math.max(this.#opensAt, now + Math.ceil(asked + jitter));
    this.#next = Math.max(isFirst ? 0 : this.#next, this.#opensAt);
  }

  #backOff(): number {
    return Math.min(longest, shortest * 2 ** (this.#refusals - 1));
  }

  #slowDown(now: number, window: number): void {
    const span = Math.max(window, shortest);
    const taken = this.#taken.filter((at) => at >= now - span).length;
    this.#pace = Math.max(
      slowest,
      this.#pace === undefined ? (margin * taken) / span : this.#pace * slowdown,
    );
    this.#paceChanged = now;
  }
}
