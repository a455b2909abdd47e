/**
 * Deployments that a run of the engine must not delete. A resource that was renamed in the program takes its deployment over
 * and is then deleted under its old name, with the same id. Reading a deployment claims nothing.
 */
import type { Stored } from "./state";

/**
 * - `keeps`: created, adopted or changed by the resource, or compared and kept;
 * - `failed`: the resource was to get it, and has not;
 * - `none`: no claim any more.
 */
type Hold = "keeps" | "failed" | "none";

export interface Claim {
  /** Id of a deployment, in lower case; or what failed, where its id is not known: a resource, a name at an address. */
  readonly on: string;
  /** ISO 8601. Tells deployments of two services apart that happen to have the same id. */
  readonly createdAt: string | null;
  /** URN of the resource, or its name where that is not known. */
  readonly resource: string;
  readonly hold: Hold;
}

/** What tells a deployment from others. */
export type Deployed = Pick<Claim, "createdAt"> & { readonly id: string };

/** Claims of the run's other processes, who are told of this one's. */
export interface OtherClaims {
  add(claim: Claim): void;
  all(): Iterable<Claim>;
}

/** Where a deployment is that has no id yet: whose it is to be, at which service, and its name there. */
export interface Place {
  readonly resource: string;
  readonly address: string;
  readonly name: string;
}

/** The last claim of each resource on each deployment. */
export class ClaimMap extends Map<string, Claim> {
  add(claim: Claim): void {
    this.set(`${claim.on} ${claim.resource}`, claim);
  }
}

export class RunClaims {
  readonly #own = new ClaimMap();
  readonly #results = new Set<string>();
  /** What each resource had when it was compared; undefined where the program moves it to another service. */
  readonly compared = new Map<string, { readonly id: string; readonly state: Stored } | undefined>();

  constructor(private readonly others?: OtherClaims) {}

  claim({ id, createdAt }: Deployed, resource: string, hold: Hold): void {
    this.#add({ on: id.toLowerCase(), createdAt, resource, hold });
  }

  /** The engine replaces the resource, whatever a comparison said. */
  release(resource: string): void {
    for (const claim of this.#own.values())
      if (claim.resource === resource && claim.hold === "keeps") this.#add({ ...claim, hold: "none" });
  }

  /**
   * What keeps the deployment from being deleted.
   *
   * @param place the resource in whose name it is to be deleted, and the name that it leaves
   */
  claimOn(deployed: Deployed, place?: Place): Claim | undefined {
    const claims = this.#on(deployed, place === undefined ? [] : keysOf(place));
    return claims.find(({ hold }) => hold === "keeps") ?? claims.find(({ hold }) => hold === "failed");
  }

  /** Whose the deployment is in this run, if it is another resource's. */
  keptByOther(deployed: Deployed, resource: string): Claim | undefined {
    return this.#on(deployed).find((each) => each.hold === "keeps" && each.resource !== resource);
  }

  /** What was to be replaced must stay where its replacement was not created or did not get ready. */
  noteReady(place: Place, isReady: boolean): void {
    const hold = isReady ? "none" : "failed";
    for (const on of keysOf(place)) this.#add({ on, createdAt: null, resource: place.resource, hold });
  }

  /** What this run itself made of a deployment: deleting just that is meant, deleting an older copy of it is not. */
  noteResult(version: string): void {
    this.#results.add(version);
  }

  isResult(version: string): boolean {
    return this.#results.has(version);
  }

  #add(claim: Claim): void {
    this.#own.add(claim);
    this.others?.add(claim);
  }

  #on({ id, createdAt }: Deployed, more: readonly string[] = []): Claim[] {
    const on = [id.toLowerCase(), ...more];
    const isSame = (claim: Claim) =>
      createdAt === null || claim.createdAt === null || claim.createdAt === createdAt;
    const all = [...this.#own.values(), ...(this.others?.all() ?? [])];
    return all.filter((claim) => on.includes(claim.on) && isSame(claim));
  }
}

function keysOf({ resource, address, name }: Place): string[] {
  return [resource, `${name} at ${address}`];
}
