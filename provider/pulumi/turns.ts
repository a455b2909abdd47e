/**
 * Tells once that rollouts queue up. The engine runs only so many operations at once, 4 for each processor unless it is told
 * otherwise, also where all of them only wait for the service.
 *
 * It decides on the next deployment before one that it runs has ended. So what shows is that a deployment was decided on, and
 * began much later, when another one had ended. How many are to come only the program can say.
 */
import { systemClock, type Clock } from "../clock";
import { formatDuration } from "../duration";

/** Shorter waits for a turn are nobody's business; milliseconds. */
const long = 30_000;

interface Turn {
  readonly since: number;
  /** How many others ran at the same time, at most. */
  most: number;
}

export class Turns {
  readonly #waiting = new Map<string, Turn>();
  #running = 0;
  #isTold = false;
  #expected = 0;

  constructor(private readonly clock: Clock = systemClock) {}

  /** @param count how many deployments the program declares, if it says so */
  expect(count = 0): void {
    this.#expected = Math.max(this.#expected, count);
  }

  /** The engine has decided to create or change it, and does so as soon as it can. */
  wait(resource: string): void {
    this.#waiting.set(resource, { since: this.clock.now(), most: this.#running });
  }

  /** What it waits for is something else. */
  forget(resource: string): void {
    this.#waiting.delete(resource);
  }

  /** @param tell is given what is to be said beside the resource */
  async run<T>(resource: string, tell: (text: string) => void, work: () => Promise<T>): Promise<T> {
    const turn = this.#waiting.get(resource);
    this.#waiting.delete(resource);
    if (turn !== undefined && !this.#isTold) this.#tellOf(turn, tell);
    this.#running++;
    for (const other of this.#waiting.values()) other.most = Math.max(other.most, this.#running);
    return work().finally(() => this.#running--);
  }

  #tellOf({ since, most }: Turn, tell: (text: string) => void): void {
    const waited = this.clock.now() - since;
    // Where no other one has ended, it waited for something else, such as a hook.
    if (waited < long || this.#running >= most) return;
    this.#isTold = true;
    const isKnown = this.#expected > most;
    const queue = isKnown
      ? `${this.#expected} deployments, ${most} at a time`
      : `${most} deployments at a time`;
    const parallel = `--parallel ${isKnown ? this.#expected : "with the number of deployments"}`;
    tell(
      `waited ${formatDuration(waited)} for its turn. ${queue}: ${parallel} (or PULUMI_PARALLEL) lets their rollouts run together`,
    );
  }
}
