/** A source of pages, each fetched once and only when somebody wants it, however many read them. */
export class Pages<T> {
  readonly #source: AsyncIterator<readonly T[]>;
  readonly #failed: () => void;
  readonly #fetched: Promise<IteratorResult<readonly T[]>>[] = [];

  /** @param failed is called when a page could not be fetched; whoever waits for it gets the error */
  constructor(source: AsyncIterable<readonly T[]>, failed: () => void = () => {}) {
    this.#source = source[Symbol.asyncIterator]();
    this.#failed = failed;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (let index = 0; ; index++) {
      const { done, value } = await (this.#fetched[index] ??= this.#fetch());
      if (done) return;
      yield* value;
    }
  }

  async #fetch(): Promise<IteratorResult<readonly T[]>> {
    try {
      return await this.#source.next();
    } catch (error) {
      this.#failed();
      throw error;
    }
  }
}

/**
 * A list that is awaited as an array, or iterated with `for await`, which fetches no more pages than are read.
 * A promise by its class too, so that `pulumi.output` and `Promise.all` take it for one.
 */
export class LazyList<T> extends Promise<T[]> implements AsyncIterable<T> {
  readonly #open: () => AsyncIterable<T>;
  #all: Promise<T[]> | undefined;

  constructor(open: () => AsyncIterable<T>) {
    super(() => {});
    this.#open = open;
  }

  /** What `then` makes is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<A = T[], B = never>(
    fulfilled?: ((all: T[]) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#all ??= this.#collect();
    return this.#all.then(fulfilled, rejected);
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#open()[Symbol.asyncIterator]();
  }

  async #collect(): Promise<T[]> {
    const all: T[] = [];
    for await (const item of this.#open()) all.push(item);
    return all;
  }
}
