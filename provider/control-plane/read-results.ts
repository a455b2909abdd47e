/** What a response says about the ids that were asked for. Letter case means nothing in an id. */
import type { Observed } from "../deployment/service";

export class ReadResults {
  readonly #results = new Map<string, Observed | Error>();

  constructor(deployments: readonly Observed[] = []) {
    for (const deployment of deployments) this.set(deployment.id, deployment);
  }

  /** An error, where nothing is known of the deployment. */
  set(id: string, result: Observed | Error): void {
    this.#results.set(sameId(id), result);
  }

  has(id: string): boolean {
    return this.#results.has(sameId(id));
  }

  /** Undefined: there is none. Throws where nothing is known of it. */
  get(id: string): Observed | undefined {
    const result = this.#results.get(sameId(id));
    if (result instanceof Error) throw result;
    return result;
  }

  /** Throws where nothing is known of one of them. */
  all(): Observed[] {
    return [...this.#results.keys()].map((id) => this.get(id)!);
  }

  /** What is known, whatever is not. */
  known(): Observed[] {
    return [...this.#results.values()].filter((result): result is Observed => !(result instanceof Error));
  }
}

/** The same text for the same id. */
export function sameId(id: string): string {
  return id.toLowerCase();
}
