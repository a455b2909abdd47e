/**
 * Deployments that a run of the engine must not delete. A resource that was renamed in the program takes its deployment over
 * and is then deleted under its old name, with the same id. Reading a deployment claims nothing.
 */
import { type State, UnfinishedError, versionOf } from "./state";

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
export interface Claimant {
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
  readonly compared = new Map<string, { readonly id: string; readonly state: State } | undefined>();

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
  claimOn(deployed: Deployed, place?: Claimant): Claim | undefined {
    const claims = this.#on(deployed, place === undefined ? [] : keysOf(place));
    return claims.find(({ hold }) => hold === "keeps") ?? claims.find(({ hold }) => hold === "failed");
  }

  /** Whose the deployment is in this run, if it is another resource's. */
  keptByOther(deployed: Deployed, resource: string): Claim | undefined {
    return this.#on(deployed).find((each) => each.hold === "keeps" && each.resource !== resource);
  }

  /** Does the work that creates or changes a deployment. What it replaces is kept unless the work ends well. */
  async keepReplaced<T>(place: Claimant, work: () => Promise<T>): Promise<T> {
    const hold = (kind: Hold) => {
      for (const on of keysOf(place))
        this.#add({ on, createdAt: null, resource: place.resource, hold: kind });
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

  /**
   * Does the work whose result this run may delete, unlike an older copy of it. If nothing changed, a copy from before looks the
   * same and is not marked.
   */
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

  /** Whether a state is one that this run itself left behind. */
  isResult(state: State): boolean {
    return this.#results.has(versionOf(state));
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

function keysOf({ resource, address, name }: Claimant): string[] {
  return [resource, `${name} at ${address}`];
}
