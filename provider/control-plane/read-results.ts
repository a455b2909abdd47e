/** Results by deployment id. Ids are compared without case. */
import type { Observed } from "../deployment/service";
import { together, type Limits } from "../time/limits";

export class ReadResults {
  readonly #results = new Map<string, Observed | Error>();

  constructor(deployments: readonly Observed[] = []) {
    for (const deployment of deployments) this.set(deployment.id, deployment);
  }

  /** @param result an error if the deployment could not be read */
  set(id: string, result: Observed | Error): void {
    this.#results.set(sameId(id), result);
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

/** A read that shares a request with others. */
export interface Waiting {
  readonly id: string;
  readonly limits: Limits;
  readonly resolve: (found: Promise<Observed | undefined>) => void;
}

/** Answers reads with the results of one request, or its error. Never fails itself. */
export async function answer(
  waiting: readonly Waiting[],
  request: (limits: Limits) => Promise<Pick<ReadResults, "get">>,
): Promise<void> {
  const results = request(together(waiting.map(({ limits }) => limits)));
  for (const { id, resolve } of waiting) resolve(results.then((found) => found.get(id)));
  await results.catch(() => undefined);
}

/** Normalizes an id for comparison. */
export function sameId(id: string): string {
  return id.toLowerCase();
}
