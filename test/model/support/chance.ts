/** Reproducible random numbers, by seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  of<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)]!;
  }
}

/** The chance of one event, independent of earlier events. */
export function chanceOf(seed: number, event: string): Chance {
  let hash = 2166136261 ^ seed;
  for (let at = 0; at < event.length; at++) hash = Math.imul(hash ^ event.charCodeAt(at), 16777619);
  return new Chance(hash);
}
