/**
 * What a service that asks to slow down asks of the whole connection, and not of the one call that it answered so:
 * nothing is sent until the time that it names, then one request, and once that is taken the others at the pace that the
 * service took before.
 */
import type { Clock } from "../clock";
import { endOf, moment, pause, within, type End, type Limits } from "../limits";

/** A shorter `Retry-After`, or one in the past, would make everything spin; milliseconds. */
const shortest = 500;
/** So that those who were refused together do not come back together, in milliseconds. */
const longestJitter = 1_000;
/** The longest wait where the service does not say how long, in milliseconds. */
const longest = 30_000;
/** Over what time a limit is measured that the service does not tell of, in milliseconds. */
const usualWindow = 10_000;
/** Over what time it is measured what the service takes, at the most, in milliseconds. */
const measure = 5_000;
/** The pace stays a little below what was taken at first, slows down with each refusal, and grows after a quiet time. */
const margin = 0.95;
/** What was measured comes out a little too low, since nothing is sent while the service refuses. */
const probing = 1.05;
const growth = 1.25;
const quiet = 15_000;
/** Requests per millisecond that are never too many: where so few are refused, others use the limit up. */
const slowest = 0.2 / 1_000;
/** The same where nothing has been measured yet. */
const slowestGuess = 2 / 1_000;
/** How long it is remembered that a request was taken, in milliseconds. */
const window = 60_000;

/** A request that was let out. */
export interface Passage {
  readonly at: number;
  /** How often the gate had been closed by then. */
  readonly closings: number;
  /** Tells those that wait for the first request after a closing what became of it; undefined for any other request. */
  readonly probed?: (() => void) | undefined;
}

export class RateLimit {
  #closings = 0;
  #closedAt = -Infinity;
  /** Nothing was taken yet since it was closed. */
  #isProbed = true;
  /** The first request after a closing is under way; resolves when it is over. */
  #probe: Promise<void> | undefined;
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

  /** Waits until a request may go out; says why not where the limits end first. Whoever passes calls `over` at the end. */
  async pass(limits: Limits): Promise<Passage | { readonly end: End; readonly wait: number }> {
    for (;;) {
      const now = this.clock.now();
      const due = Math.max(now, this.#opensAt, this.#isProbed ? this.#next : 0);
      const at = Math.ceil(due);
      const wait = at - now;
      const end = endOf(this.clock, limits, wait);
      if (end !== undefined) return { end, wait };
      const closings = this.#closings;
      if (this.#isProbed && this.#pace !== undefined) this.#next = due + 1 / this.#pace;
      const wasProbed = this.#isProbed;
      const ended = wait > 0 ? await pause(this.clock, limits, wait, this.#reasonFor(wait)) : undefined;
      if (ended !== undefined) return { end: ended, wait };
      // It may have been closed again, or for longer.
      if (closings !== this.#closings || this.clock.now() < this.#opensAt) continue;
      if (wasProbed) return { at, closings };
      if (this.#probe === undefined && !this.#isProbed) return this.#probeAt(at);
      const waited = await within(this.clock, limits, this.#probe ?? Promise.resolve());
      if ("end" in waited) return { end: waited.end, wait: 0 };
    }
  }

  #probeAt(at: number): Passage {
    let probed!: () => void;
    this.#probe = new Promise((resolve) => (probed = resolve));
    return { at, closings: this.#closings, probed };
  }

  #reasonFor(wait: number): string | undefined {
    return wait >= moment ? this.reason : undefined;
  }

  /** What the service answered when it closed the gate. */
  get reason(): string {
    return `the service asks to slow down (${this.#status})`;
  }

  /** The service took a request, whatever else it thinks of it. */
  took({ at, closings, probed }: Passage): void {
    const now = this.clock.now();
    if (closings === this.#closings) this.#refusals = 0;
    if (probed !== undefined) {
      this.#isProbed = true;
      this.#next = this.#pace === undefined ? now : now + 1 / this.#pace;
    }
    this.#taken.push(at);
    if (this.#taken[0]! < at - window) this.#taken = this.#taken.filter((each) => each >= at - window);
    const periods = Math.floor((at - this.#paceChanged) / quiet);
    if (this.#pace === undefined || periods < 1) return;
    this.#pace *= growth ** periods;
    this.#paceChanged = at;
  }

  /** The request is over, however it ended. */
  over({ probed }: Passage): void {
    if (probed === undefined) return;
    this.#probe = undefined;
    probed();
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
      this.#closedAt = now;
    }
    this.#isProbed = false;
    const asked = retryAfter !== undefined && retryAfter >= shortest ? retryAfter : this.#backOff();
    this.#status = status;
    const jitter = Math.min(longestJitter, asked / 10) * this.clock.random();
    this.#opensAt = Math.max(this.#opensAt, now + Math.ceil(asked + jitter));
  }

  #backOff(): number {
    return Math.min(longest, shortest * 2 ** (this.#refusals - 1));
  }

  #slowDown(now: number, window: number): void {
    this.#paceChanged = now;
    const takenSince = (time: number) => this.#taken.filter((at) => at >= time).length;
    if (this.#pace === undefined) {
      const span = Math.max(window, shortest);
      this.#pace = Math.max(slowestGuess, (margin * takenSince(now - span)) / span);
      return;
    }
    // What it took since it refused before is what it takes in the long run; it may have taken more at once at first.
    const since = Math.max(this.#closedAt, now - measure);
    const taken = takenSince(since);
    if (taken === 0) return;
    this.#pace = Math.max(slowest, Math.min(this.#pace * margin, (probing * taken) / (now - since)));
  }
}
