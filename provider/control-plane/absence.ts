/**
 * What it means that the list does not hold a deployment. Whether a service lists what is still being deleted is not
 * said anywhere: it is learnt from its answers.
 */
import { isDeleting } from "../deployment/rollout";
import type { Observed } from "../deployment/service";
import type { Limits } from "../limits";
import type { Found } from "./found";

/** A deployment that is asked for, and whether its deletion is waited for. */
export interface Asked {
  readonly id: string;
  readonly isDeleted: boolean;
}

export class Absence {
  /** Undefined while nobody has seen the one or the other. */
  #listHoldsDeleting: boolean | undefined;

  /** @param one asks for one by itself */
  constructor(private readonly one: (id: string, limits: Limits) => Promise<Observed | undefined>) {}

  /** Adds to an answer of the list what it leaves out, and is there all the same. */
  async complete(found: Found, asked: readonly Asked[], limits: Limits): Promise<void> {
    if (found.known().some(isDeleting)) this.#listHoldsDeleting = true;
    const absent = asked.filter(({ id }) => !found.has(id));
    const deleted = absent.filter(({ isDeleted }) => isDeleted);
    const lost = absent.filter(({ isDeleted }) => !isDeleted);
    await Promise.all([this.#add(lost, found, limits), this.#addDeleted(deleted, found, limits)]);
  }

  /**
   * Deletions that the service has accepted. Where its list holds those under way, one that it does not hold has ended. Where
   * nobody knows, one of them stands for all: it is there only if the list keeps such ones to itself.
   */
  async #addDeleted([first, ...others]: readonly Asked[], found: Found, limits: Limits): Promise<void> {
    if (first === undefined || this.#listHoldsDeleting === true) return;
    await this.#add([first], found, limits);
    if (found.has(first.id)) this.#listHoldsDeleting = false;
    if (this.#listHoldsDeleting === false) await this.#add(others, found, limits);
  }

  async #add(asked: readonly Asked[], found: Found, limits: Limits): Promise<void> {
    await Promise.all(
      asked.map(async ({ id }) => {
        const answer = await this.one(id, limits).catch((error: unknown) => error as Error);
        if (answer !== undefined) found.set(id, answer);
      }),
    );
  }
}
