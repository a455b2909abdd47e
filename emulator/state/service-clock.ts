/** The service's source of time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Stands still until it is advanced, so that no test has to sleep. */
export class VirtualClock implements Clock {
  #now: number;

  constructor(start: number | string = "2030-01-01T00:00:00.000Z") {
    this.#now = new Date(start).getTime();
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** A timestamp after the given one, even if the clock stands still. */
export function laterThan(previous: string, clock: Clock): string {
  return timestamp(Math.max(clock.now(), new Date(previous).getTime() + 1));
}
