/** Time that goes on by itself, to the next thing that is waited for, whenever no request is under way. */
import { channel } from "node:diagnostics_channel";
import type { Clock } from "../../../provider/clock";
import { settled } from "../../unit/support/clock";
import { Chance } from "./chance";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

class IdleClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  readonly #requests = new Set<unknown>();
  #now = Date.now();
  #chance = new Chance(0);
  #ended = 0;
  #isGoing = false;

  constructor() {
    channel("undici:request:create").subscribe((message) => this.#requests.add(requestIn(message)));
    const end = (message: unknown) => {
      this.#requests.delete(requestIn(message));
      this.#ended++;
    };
    channel("undici:request:trailers").subscribe(end);
    channel("undici:request:error").subscribe(end);
  }

  now(): number {
    return this.#now;
  }

  random = (): number => this.#chance.next();

  /** The same jitter again for the same seed. */
  seed(seed: number): void {
    this.#chance = new Chance(seed);
  }

  /** How many sleep: timers, where the clock is a real one. */
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
      if (!this.#isGoing) void this.#go();
    });
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    while (this.#sleepers.size > 0) {
      const ended = this.#ended;
      await settled();
      // What waited for a request has its turn before time goes on.
      if (this.#requests.size > 0 || this.#ended !== ended) continue;
      const [next] = [...this.#sleepers].sort((a, b) => a.until - b.until);
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
    }
    this.#isGoing = false;
  }
}

function requestIn(message: unknown): unknown {
  return (message as { request: unknown }).request;
}

export const clock = new IdleClock();
