/** Limits the requests that a connection has in flight, and sends none while the service asks to slow down. */
import type { Clock } from "../time/clock";
import type { ControlPlaneError } from "../errors";
import { formatDuration } from "../time/duration";
import { type End, endOf, type Limits, moment, nextTryText, pause, within } from "../time/limits";

/** The shortest wait: with a shorter `Retry-After`, or one in the past, requests would be refused repeatedly; milliseconds. */
const shortest = 500;
/** The longest wait if the service does not say how long; milliseconds. */
const longest = 8_000;
/** Spreads the retries of several connections, in milliseconds. */
const longestJitter = 1_000;
/** This many waits, without a `Retry-After`, take about a minute. */
const mostRefusals = 12;

/** Why a request was not sent. */
interface Unsent {
  readonly end: End;
  readonly reason: string;
  /** How much longer the wait would have been, in milliseconds; 0 if unknown. */
  readonly wait: number;
}

export class RateLimit {
  readonly #queue = new Set<() => void>();
  #inFlight = 0;
  #refusedAt = -Infinity;
  /** Refusals in a row. */
  #refusals = 0;
  #opensAt = 0;
  #reason = "";

  /** @param most how many requests may be in flight */
  constructor(
    private readonly clock: Clock,
    private readonly most: number,
  ) {}

  /** Whether the service has refused every request for a minute or more. */
  get isHopeless(): boolean {
    return this.#refusals >= mostRefusals;
  }

  /**
   * Sends requests in order of arrival, as the limit permits. Returns `Unsent` if the caller's limits end first.
   *
   * @param refusal the refusal of this request's previous try: what the service says there, of a quota for example, is shown while
   *   this waits. It can repeat secrets of the request, so other requests do not show it
   */
  async run<T>(
    limits: Limits,
    refusal: ControlPlaneError | undefined,
    send: (sentAt: number) => Promise<T>,
  ): Promise<T | Unsent> {
    if (this.#inFlight < this.most) this.#inFlight++;
    else {
      const turn = this.#turn();
      const waited = await within(
        this.clock,
        limits,
        () => turn.comes,
        () => {
          return `waits ${formatDuration(limits.timeout)} at most for its turn with ${this.#queue.size} requests`;
        },
      );
      if ("end" in waited) {
        turn.leave();
        return { end: waited.end, reason: "others were sent before it", wait: 0 };
      }
    }
    try {
      return (await this.#untilOpen(limits, refusal)) ?? (await send(this.clock.now()));
    } finally {
      this.#end();
    }
  }

  /** Records that the service handled a request, whatever the result. */
  accepted(sentAt: number): void {
    if (sentAt >= this.#refusedAt) this.#refusals = 0;
  }

  /** Records that the service asked to slow down: nothing is sent until the wait is over, which it may give in milliseconds. */
  refused(sentAt: number, status: number, retryAfter = 0): void {
    const now = this.clock.now();
    // Requests that were in flight at a refusal are refused for the same reason.
    if (sentAt >= this.#refusedAt) {
      this.#refusedAt = now;
      this.#refusals++;
    }
    const backOff = Math.min(longest, shortest * 2 ** (this.#refusals - 1));
    const wait = retryAfter < shortest ? backOff : retryAfter;
    const jitter = Math.min(longestJitter, wait / 10) * this.clock.random();
    this.#opensAt = Math.max(this.#opensAt, now + Math.ceil(wait + jitter));
    this.#reason = `the service asks to slow down (${status})`;
  }

  async #untilOpen(limits: Limits, refusal: ControlPlaneError | undefined): Promise<Unsent | undefined> {
    for (;;) {
      const ms = Math.max(0, this.#opensAt - this.clock.now());
      const reason = this.#reason;
      if (ms === 0 && endOf(this.clock, limits) === undefined) return undefined;
      const tell = () => limits.tell(refusal?.serviceText?.text ? refusal : reason, nextTryText(limits, ms));
      const end = await pause(this.clock, limits, ms, ms < moment ? undefined : tell);
      if (end === undefined) continue;
      return {
        end,
        reason: ms > 0 ? `${reason} for another ${formatDuration(ms)}` : "the time was over",
        wait: ms,
      };
    }
  }

  #turn(): { readonly comes: Promise<void>; readonly leave: () => void } {
    let start!: () => void;
    const comes = new Promise<void>((resolve) => (start = resolve));
    this.#queue.add(start);
    const leave = () => {
      if (!this.#queue.delete(start)) this.#end();
    };
    return { comes, leave };
  }

  /** Passes the place on to the next in the queue. */
  #end(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#inFlight--;
    else {
      this.#queue.delete(next);
      next();
    }
  }
}
