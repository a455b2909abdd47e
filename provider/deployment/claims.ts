/** Deployments that a run must not delete: a renamed resource adopts what the engine then deletes under its old name. */

/**
 * - `keeps`: the resource created, adopted or changed it, or was compared and keeps it;
 * - `failed`: the resource tried to create, adopt or change it, and failed.
 */
type Hold = "keeps" | "failed";

export interface Claim {
  /** Id of a deployment, in lower case. If the id is unknown: the resource, or the name and address. */
  readonly on: string;
  /** URN of the resource, or its name if the URN is unknown. */
  readonly resource: string;
  readonly hold: Hold;
}

/** Who claims: a resource, and the name that it uses at a service. Identifies a deployment without an id. */
export interface Claimant {
  /** Its URN, or its name if the URN is unknown. */
  readonly resource: string;
  readonly address: string;
  readonly name: string;
}

/** Which resources of a run need which deployments, as far as this process knows: each provider of a program has its own. */
export class Claims {
  /** The last claim of each resource on each deployment. */
  readonly #claims = new Map<string, Claim>();

  claim(id: string, resource: string, hold: Hold): void {
    const claim = { on: id.toLowerCase(), resource, hold };
    this.#claims.set(keyOf(claim), claim);
  }

  /** Releases a resource's claims, because the engine replaces it, whatever the comparison said. */
  release(resource: string): void {
    for (const [key, claim] of this.#claims)
      if (claim.resource === resource && claim.hold === "keeps") this.#claims.delete(key);
  }

  /** The claim that prevents the claimant, which is being deleted, from deleting the deployment. */
  claimOn(id: string, claimant: Claimant): Claim | undefined {
    const keys = [id.toLowerCase(), ...keysOf(claimant)];
    const claims = [...this.#claims.values()].filter(({ on }) => keys.includes(on));
    return claims.find(({ hold }) => hold === "keeps") ?? claims[0];
  }

  /** Runs work that creates or changes a deployment. Keeps the deployment that it replaces unless the work succeeds. */
  async keepReplaced<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    const failed = keysOf(claimant).map((on): Claim => ({ on, resource: claimant.resource, hold: "failed" }));
    try {
      const result = await work();
      for (const claim of failed) this.#claims.delete(keyOf(claim));
      return result;
    } catch (error) {
      for (const claim of failed) this.#claims.set(keyOf(claim), claim);
      throw error;
    }
  }
}

function keyOf({ on, resource }: Pick<Claim, "on" | "resource">): string {
  return `${on} ${resource}`;
}

function keysOf({ resource, address, name }: Claimant): string[] {
  return [resource, `${name} at ${address}`];
}
