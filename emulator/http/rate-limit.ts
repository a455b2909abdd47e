/** A limit of requests in any second, as a gateway before the service counts them. */
export class RateLimit {
  #taken: number[] = [];

  /**
   * Whether one more is taken; one that is not does not count.
   *
   * @param most 0 for no limit
   */
  takes(now: number, most: number): boolean {
    if (most === 0) return true;
    this.#taken = this.#taken.filter((at) => at > now - 1_000);
    if (this.#taken.length >= most) return false;
    this.#taken.push(now);
    return true;
  }
}
