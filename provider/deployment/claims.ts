/**
 * Deployments that a run of the engine must not delete. A renamed resource adopts its deployment, and the engine then deletes the
 * resource of the old name, which has the same id. Reading a deployment claims nothing.
 */

/**
 * - `keeps`: the resource created, adopted or changed it, or was compared and keeps it;
 * - `failed`: the resource tried to create, adopt or change it, and failed;
 * - `none`: the claim is released.
 */
type Hold = "keeps" | "failed" | "none";

export interface Claim {
  /** Id of a deployment, in lower case. If the id is unknown: the resource, or the name and address. */
  readonly on: string;
  /** ISO 8601. Distinguishes deployments of two services that happen to have the same id. */
  readonly createdAt: string | null;
  /** URN of the resource, or its name if the URN is unknown. */
  readonly resource: string;
  readonly hold: Hold;
}

/** Identifies a deployment. */
export type Deployed = Pick<Claim, "createdAt"> & { readonly id: string };

/** Who claims: a resource, and the name that it uses at a service. Identifies a deployment without an id. */
export interface Claimant {
  /** Its URN, or its name if the URN is unknown. */
  readonly resource: string;
  readonly address: string;
  readonly name: string;
}

/** The last claim of each resource on each deployment. */
function lastOf(claims: readonly Claim[]): Claim[] {
  return [...new Map(claims.map((claim) => [`${claim.on} ${claim.resource}`, claim])).values()];
}

/** Which resources of a run need which deployments, as far as this process knows: each provider of a program has its own. */
export class Claims {
  readonly #claims: Claim[] = [];

  claim({ id, createdAt }: Deployed, resource: string, hold: Hold): void {
    this.#claims.push({ on: id.toLowerCase(), createdAt, resource, hold });
  }

  /** Releases a resource's claims, because the engine replaces it, whatever the comparison said. */
  release(resource: string): void {
    for (const claim of lastOf(this.#claims.filter((each) => each.resource === resource)))
      if (claim.hold === "keeps") this.#claims.push({ ...claim, hold: "none" });
  }

  /**
   * The claim that prevents deleting the deployment.
   *
   * @param claimant the resource that is being deleted, and its deployment's name
   */
  claimOn(deployed: Deployed, claimant?: Claimant): Claim | undefined {
    const claims = this.#on(deployed, claimant === undefined ? [] : keysOf(claimant));
    return claims.find(({ hold }) => hold === "keeps") ?? claims.find(({ hold }) => hold === "failed");
  }

  /** The claim of another resource that keeps the deployment in this run. */
  keptByOther(deployed: Deployed, resource: string): Claim | undefined {
    return this.#on(deployed).find((each) => each.hold === "keeps" && each.resource !== resource);
  }

  /** Runs work that creates or changes a deployment. Keeps the deployment that it replaces unless the work succeeds. */
  async keepReplaced<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    const hold = (kind: Hold) => {
      for (const on of keysOf(claimant))
        this.#claims.push({ on, createdAt: null, resource: claimant.resource, hold: kind });
    };
    try {
      const result = await work();
      hold("none");
      return result;
    } catch (error) {
      hold("failed");
      throw error;
    }
  }

  #on({ id, createdAt }: Deployed, more: readonly string[] = []): Claim[] {
    const on = [id.toLowerCase(), ...more];
    const isSame = (claim: Claim) =>
      createdAt === null || claim.createdAt === null || claim.createdAt === createdAt;
    return lastOf(this.#claims.filter((claim) => on.includes(claim.on))).filter(isSame);
  }
}

function keysOf({ resource, address, name }: Claimant): string[] {
  return [resource, `${name} at ${address}`];
}
