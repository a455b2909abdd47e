/**
 * How many requests may still be sent within the user's limit for a minute. Polls use at most half of it, so that changes get
 * through.
 */
import type { Clock } from "../time/clock";
import { settingNamed } from "../settings/table";

/** Milliseconds. */
const minute = 60_000;
const shareOfPolls = 0.5;
/** A request that counts against the limit. */
export interface Spent {
  /** When it was sent, and once there is a response, when that arrived: the service received it in between. */
  at: number;
}

export interface BudgetWait {
  /** Milliseconds. */
  readonly ms: number;
  readonly reason: string;
}

export class RequestBudget {
  #spent: Spent[] = [];
  /** How many GETs were sent. */
  reads = 0;

  /** @param perMinute undefined if there is no limit */
  constructor(
    private readonly clock: Clock,
    private readonly perMinute?: number,
  ) {}

  /** Undefined if a request may be sent now. */
  wait(): BudgetWait | undefined {
    const { perMinute } = this;
    if (perMinute === undefined || this.#spent.length < perMinute) return undefined;
    // The next one may be sent when enough of them are older than a minute.
    const recent = this.#recent().map(({ at }) => at);
    const nth = recent.sort((a, b) => b - a)[perMinute - 1];
    const reason = `at most ${perMinute} requests are sent per minute, as set by ${settingNamed("requestsPerMinute")}`;
    return nth === undefined ? undefined : { ms: nth + minute - this.clock.now(), reason };
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

  /** The shortest time until the next poll, in milliseconds, if a poll sends this many requests. */
  pollInterval(reads: number): number {
    return (minute * reads) / this.#forPolls;
  }

  /** How many requests one poll may send, of the most that it would send. */
  pollSize(most: number): number {
    return Math.max(1, Math.min(most, Math.floor(this.#forPolls / 2)));
  }

  /** Whether a request that can be left out may be sent. */
  get hasRoom(): boolean {
    return this.#recent().length < this.#forPolls;
  }

  get #forPolls(): number {
    return (this.perMinute ?? Infinity) * shareOfPolls;
  }

  #recent(): Spent[] {
    const from = this.clock.now() - minute;
    return (this.#spent = this.#spent.filter(({ at }) => at > from));
  }
}
