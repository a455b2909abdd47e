/** What one run of the engine has done so far. */
import { Claims } from "./claims";
import type { Plan } from "./plan";
import { type State, UnfinishedError, versionOf } from "./state";

interface Compared {
  readonly id: string;
  readonly state: State;
  readonly plan: Plan;
}

export class Run {
  /** What comparing each resource found; undefined if the program moves it to another service. */
  readonly compared = new Map<string, Compared | undefined>();
  /** The name of each resource that was checked for its creation, which has not begun. */
  readonly toCreate = new Map<string, unknown>();
  readonly #results = new Set<string>();

  constructor(readonly claims = new Claims()) {}

  /** Marks a new result of the work as safe to delete. An older copy of the resource may look like an unchanged one. */
  async markResult(work: () => Promise<State>, before?: State): Promise<State> {
    const mark = (state: State) => {
      const version = versionOf(state);
      if (before === undefined || version !== versionOf(before)) this.#results.add(version);
    };
    try {
      const state = await work();
      mark(state);
      return state;
    } catch (error) {
      if (error instanceof UnfinishedError) mark(error.state);
      throw error;
    }
  }

  /** Whether this run itself produced the state: whoever asks to delete just that means it. */
  isResult(state: State): boolean {
    return this.#results.has(versionOf(state));
  }
}
