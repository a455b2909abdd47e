/** What an answer says about the ids that were asked for. Letter case means nothing in an id. */
import type { Observed } from "../deployment/service";

export class ReadResults {
  readonly #answers = new Map<string, Observed | Error>();

  constructor(deployments: readonly Observed[] = []) {
    for (const deployment of deployments) this.set(deployment.id, deployment);
  }

  /** An error, where nothing is known of the deployment. */
  set(id: string, answer: Observed | Error): void {
    this.#answers.set(sameId(id), answer);
  }

  has(id: string): boolean {
    return this.#answers.has(sameId(id));
  }

  /** Undefined: there is none. Throws where nothing is known of it. */
  get(id: string): Observed | undefined {
    const answer = this.#answers.get(sameId(id));
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** Throws where nothing is known of one of them. */
  all(): Observed[] {
    return [...this.#answers.keys()].map((id) => this.get(id)!);
  }

  /** What is known, whatever is not. */
  known(): Observed[] {
    return [...this.#answers.values()].filter((answer): answer is Observed => !(answer instanceof Error));
  }
}

/** The same text for the same id. */
export function sameId(id: string): string {
  return id.toLowerCase();
}
