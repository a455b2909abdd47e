/** Results by deployment id. Ids are compared without case. */
import type { Observed } from "../deployment/service";
import { sharedLimits, type Limits } from "../time/limits";
import { batchesOf, sameId } from "./pagination";

export class ReadResults {
  readonly #results = new Map<string, Observed | Error>();

  constructor(deployments: readonly Observed[] = []) {
    for (const deployment of deployments) this.set(deployment.id, deployment);
  }

  /** @param result an error if the deployment could not be read */
  set(id: string, result: Observed | Error): void {
    this.#results.set(sameId(id), result);
  }

  delete(id: string): void {
    this.#results.delete(sameId(id));
  }

  has(id: string): boolean {
    return this.#results.has(sameId(id));
  }

  /** Undefined if there is no such deployment. Throws if it could not be read. */
  get(id: string): Observed | undefined {
    const result = this.#results.get(sameId(id));
    if (result instanceof Error) throw result;
    return result;
  }

  /** Throws if one of them could not be read. */
  all(): Observed[] {
    return [...this.#results.keys()].map((id) => this.get(id)!);
  }

  /** Only the deployments that could be read. */
  known(): Observed[] {
    return [...this.#results.values()].filter((result): result is Observed => !(result instanceof Error));
  }
}

interface Waiting<R> {
  readonly read: R;
  readonly limits: Limits;
  readonly resolve: (found: Promise<Observed | undefined>) => void;
}

/** Reads that wait for a request that they share, in order of arrival. */
export class ReadQueue<R extends { readonly id: string }> {
  #waiting: Waiting<R>[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  ids(): string[] {
    return this.#waiting.map(({ read }) => sameId(read.id));
  }

  /** The result of the shared request. Aborting the signal of the limits leaves the queue, and then calls `left`. */
  join(read: R, limits: Limits, left?: () => void): Promise<Observed | undefined> {
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        left?.();
      };
      const waiting: Waiting<R> = {
        read,
        limits,
        resolve: (found) => {
          limits.signal?.removeEventListener("abort", leave);
          resolve(found);
        },
      };
      this.#waiting.push(waiting);
      limits.signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Answers the first reads, `most` of them, with the results of one request for each 100 ids, or its error. Never fails itself. */
  async answer(
    request: (asked: readonly R[], limits: Limits) => Promise<Pick<ReadResults, "get">>,
    most = Infinity,
  ): Promise<void> {
    const batch = this.#waiting.splice(0, most);
    const distinct = new Map(batch.map(({ read }) => [sameId(read.id), read]));
    await Promise.all(
      batchesOf([...distinct.values()]).map(async (asked) => {
        const ids = new Set(asked.map(({ id }) => sameId(id)));
        const concerned = batch.filter(({ read }) => ids.has(sameId(read.id)));
        const results = request(asked, sharedLimits(concerned.map(({ limits }) => limits)));
        for (const { read, resolve } of concerned) resolve(results.then((found) => found.get(read.id)));
        await results.catch(() => undefined);
      }),
    );
  }
}
