/** How many requests may be made that can be done without: so many at once, and so many more in each minute. */
import type { Clock } from "../clock";

export class Allowance {
  #left: number;
  #counted: number;

  constructor(
    private readonly clock: Clock,
    private readonly limit: { readonly atOnce: number; readonly perMinute: number },
  ) {
    this.#left = limit.atOnce;
    this.#counted = clock.now();
  }

  /** How many of those who want to may ask now. */
  take(wanted: number): number {
    const now = this.clock.now();
    const grown = ((now - this.#counted) * this.limit.perMinute) / 60_000;
    this.#left = Math.min(this.limit.atOnce, this.#left + grown);
    this.#counted = now;
    const taken = Math.min(wanted, Math.floor(this.#left));
    this.#left -= taken;
    return taken;
  }
}
