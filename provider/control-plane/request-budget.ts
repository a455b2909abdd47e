/**
 * How many requests may still be sent: the user's limit for a minute, and what the service reports about its own limit. Polls use
 * at most half of the user's limit, so that changes get through.
 */
import type { Clock } from "../time/clock";
import { settingNamed } from "../settings/table";

/** Milliseconds. */
const minute = 60_000;
const shareOfPolls = 0.5;
/** With fewer requests left than this share of the service's limit, polls wait until it starts anew. */
const low = 0.1;
/** If the service's limit starts anew later than this, only its refusals count; milliseconds. */
const longestWindow = 10 * minute;

/** What a service reports of its limit. */
export interface Allowance {
  readonly remaining: number;
  /** How many requests the service accepts in a window, if it says so. */
  readonly limit: number | undefined;
  /** Until the limit starts anew; milliseconds. */
  readonly resetsIn: number;
}

/** A request that counts against the limit. */
export interface Spent {
  /** When it was sent, and once there is a response, when that arrived: the service received it in between. */
  at: number;
}

export class RequestBudget {
  #spent: Spent[] = [];
  #reported: (Omit<Allowance, "resetsIn"> & { readonly resetsAt: number }) | undefined;
  /** How many GETs were sent. */
  reads = 0;

  /** @param perMinute undefined if there is no limit */
  constructor(
    private readonly clock: Clock,
    private readonly perMinute?: number,
  ) {}

  /** How long to wait, in milliseconds, and why. Undefined if a request may be sent now. */
  wait(): { readonly ms: number; readonly reason: string } | undefined {
    const { perMinute = Infinity } = this;
    if (this.#spent.length >= perMinute) {
      const recent = this.#recent();
      // The next one may be sent when enough of them are older than a minute.
      const nth = recent.map(({ at }) => at).sort((a, b) => b - a)[perMinute - 1];
      const reason = `at most ${perMinute} requests are sent per minute, as set by ${settingNamed("requestsPerMinute")}`;
      if (nth !== undefined) return { ms: nth + minute - this.clock.now(), reason };
    }
    const ms = this.#reported?.remaining === 0 ? this.#untilReset() : 0;
    return ms > 0 ? { ms, reason: "the service reports that its rate limit is used up" } : undefined;
  }

  /** Call it when a request is sent, and `end` when its response is there. */
  spend(isRead: boolean): Spent {
    if (isRead) this.reads++;
    const spent = { at: this.clock.now() };
    if (this.perMinute !== undefined) this.#spent.push(spent);
    return spent;
  }

  end(spent: Spent): void {
    spent.at = this.clock.now();
  }

  report({ remaining, limit, resetsIn }: Allowance): void {
    this.#reported = { remaining, limit, resetsAt: this.clock.now() + resetsIn };
  }

  /** The shortest time until the next poll, in milliseconds, if a poll sends this many requests. */
  pollInterval(reads: number): number {
    const own = (minute * reads) / this.#forPolls;
    return Math.max(own, this.#isLow(reads) ? this.#untilReset() : 0);
  }

  /** How many requests one poll may send, of the most that it would send. */
  pollSize(most: number): number {
    return Math.max(1, Math.min(most, Math.floor(this.#forPolls / 2)));
  }

  /** Whether a request that can be left out may be sent. */
  get hasRoom(): boolean {
    return this.#recent().length < this.#forPolls && !(this.#isLow(1) && this.#untilReset() > 0);
  }

  get #forPolls(): number {
    return (this.perMinute ?? Infinity) * shareOfPolls;
  }

  #recent(): Spent[] {
    const from = this.clock.now() - minute;
    this.#spent = this.#spent.filter(({ at }) => at > from);
    return this.#spent;
  }

  #isLow(needed: number): boolean {
    const { remaining = Infinity, limit = 0 } = this.#reported ?? {};
    return remaining <= Math.max(needed, limit * low);
  }

  #untilReset(): number {
    const left = (this.#reported?.resetsAt ?? 0) - this.clock.now();
    return left > longestWindow ? 0 : Math.max(0, left);
  }
}
