/** Time that advances to the next sleeper whenever no request is in flight. */
import { channel } from "node:diagnostics_channel";
import { settled, VirtualClock } from "../../support/clock";
import { Chance } from "./chance";

class IdleClock extends VirtualClock {
  readonly #requests = new Set<unknown>();
  #chance = new Chance(0);
  #ended = 0;
  #isGoing = false;

  constructor() {
    super(Date.now());
    channel("undici:request:create").subscribe((message) => this.#requests.add(requestIn(message)));
    const end = (message: unknown) => {
      this.#requests.delete(requestIn(message));
      this.#ended++;
    };
    channel("undici:request:trailers").subscribe(end);
    channel("undici:request:error").subscribe(end);
  }

  override random = (): number => this.#chance.next();

  /** The same jitter again for the same seed. */
  seed(seed: number): void {
    this.#chance = new Chance(seed);
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal);
    if (this.sleeping > 0 && !this.#isGoing) void this.#go();
    return slept;
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    while (this.sleeping > 0) {
      const ended = this.#ended;
      await settled();
      // What waited for a request has its turn before time continues.
      if (this.#requests.size > 0 || this.#ended !== ended) continue;
      this.wakeNext();
    }
    this.#isGoing = false;
  }
}

function requestIn(message: unknown): unknown {
  return (message as { request: unknown }).request;
}

export const clock = new IdleClock();
