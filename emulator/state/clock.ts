/** Where the service takes the time from. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told to go on, so that no test has to sleep. */
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
