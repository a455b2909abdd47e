/**
 * What one run of the engine did with which deployment, so that it never deletes what it means to keep. A resource that
 * is renamed in the program takes its deployment over and is deleted under its old name, both with the same id.
 */

/**
 * - `has`: created, adopted or updated by the resource;
 * - `declares`: the program says that it is the resource's, which leaves the resource's own copies of it to be deleted;
 * - `keeps`: compared, and the resource keeps it;
 * - `reads`: shown to the program, and nobody's for that;
 * - `wants`: in the way of what the resource is about to create or adopt, or failed to;
 * - `none`: no claim any more.
 */
export type Hold = "has" | "keeps" | "declares" | "reads" | "wants" | "none";

export interface Claim {
  readonly id: string;
  /** ISO 8601. Tells deployments of two services apart that happen to have the same id. */
  readonly createdAt: string | null;
  /** URN of the resource that holds it, or its name where that is not known. */
  readonly resource: string;
  readonly hold: Hold;
}

/** What tells a deployment from others. */
export type Deployed = Pick<Claim, "id" | "createdAt">;

/** Where the claims of a run are, those of its other processes included; oldest first for each resource. */
export interface Claims {
  add(claim: Claim): void;
  of(id: string): Iterable<Claim>;
}

/** Claims of one process alone. */
export class OwnClaims implements Claims {
  readonly #byId = new Map<string, Claim[]>();

  add(claim: Claim): void {
    const others = this.#byId.get(claim.id);
    if (others === undefined) this.#byId.set(claim.id, [claim]);
    else others.push(claim);
  }

  of(id: string): readonly Claim[] {
    return this.#byId.get(id) ?? [];
  }
}

/** What is told of a deployment that has no id yet: whose it is to be, where, and its name there. */
export interface Place {
  readonly resource: string;
  readonly address: string;
  readonly name: string;
}

/** By whom a deployment was made, as far as that is known. */
export interface Maker {
  readonly tenantId?: string | null | undefined;
  readonly keyDigest?: string | undefined;
}

const strength: readonly Hold[] = ["none", "wants", "reads", "declares", "keeps", "has"];
const holds: readonly Hold[] = ["declares", "keeps", "has"];

export class RunClaims {
  readonly #known = new Set<string>();
  readonly #results = new Set<string>();
  readonly #kept = new Map<string, Deployed>();
  readonly #compared = new Map<string, Maker>();

  constructor(
    private readonly claims: Claims = new OwnClaims(),
    /** Whoever started the run says that what the service does not show was really deleted. */
    readonly isAllDeleted = false,
  ) {}

  claim({ id, createdAt }: Deployed, resource: string, hold: Hold): void {
    this.claims.add({ id: id.toLowerCase(), createdAt, resource, hold });
    if (hold === "keeps") this.#kept.set(resource, { id, createdAt });
    this.noteKnown(id);
  }

  /** The engine replaces a resource that was to be kept, whatever the comparison said. */
  release(resource: string): void {
    const kept = this.#kept.get(resource);
    if (kept !== undefined) this.claim(kept, resource, "none");
  }

  /** Who made what the resource has had, as far as this process has compared it: what is created now takes its place. */
  comparedAs(resource: string): Maker | undefined {
    return this.#compared.get(resource);
  }

  noteCompared(resource: string, { tenantId, keyDigest }: Maker): void {
    this.#compared.set(resource, { tenantId, keyDigest });
  }

  /**
   * The strongest claim on a deployment, if there is one.
   *
   * @param owner the resource in whose name it is to be deleted
   */
  claimOn(deployed: Deployed, owner?: string): Claim | undefined {
    return strongest(
      this.#last(deployed).filter((each) => each.hold !== "declares" || each.resource !== owner),
    );
  }

  /** The claim of another resource whose the deployment is in this run, and stays. */
  heldByOther(deployed: Deployed, resource: string): Claim | undefined {
    const claims = this.#last(deployed).filter(
      (each) => each.resource !== resource && holds.includes(each.hold),
    );
    return strongest(claims);
  }

  /** What each resource, and the program for it, has claimed last. */
  #last({ id, createdAt }: Deployed): Claim[] {
    const last = new Map<string, Claim>();
    for (const claim of this.claims.of(id.toLowerCase())) {
      const isOther = createdAt !== null && claim.createdAt !== null && claim.createdAt !== createdAt;
      if (!isOther) last.set(`${claim.hold === "declares"} ${claim.resource}`, claim);
    }
    return [...last.values()];
  }

  /** What this run itself made of a deployment: whoever asks to delete just that, means it. */
  noteResult(version: string): void {
    this.#results.add(version);
  }

  isResult(version: string): boolean {
    return this.#results.has(version);
  }

  /** Where a resource was not created or did not get ready, what it was to replace must stay. */
  noteReady({ resource, address, name }: Place, isDone: boolean): void {
    const hold = isDone ? "none" : "wants";
    for (const id of [resource, nameAt(address, name)])
      this.claims.add({ id, createdAt: null, resource, hold });
  }

  /** Whether the resource did not get ready, or another one that was to have its name. */
  isNotReady({ resource, address, name }: Place): boolean {
    return [resource, nameAt(address, name)].some((id) => [...this.claims.of(id)].at(-1)?.hold === "wants");
  }

  /** The stack has that deployment, as far as its state tells. */
  noteKnown(id: string): void {
    this.#known.add(id.toLowerCase());
  }

  /** How many deployments of the stack this process has met: compared, read, changed or deleted. */
  get knownCount(): number {
    return this.#known.size;
  }
}

function strongest(claims: readonly Claim[]): Claim | undefined {
  return claims
    .filter(({ hold }) => hold !== "none")
    .sort((a, b) => strength.indexOf(b.hold) - strength.indexOf(a.hold))[0];
}

function nameAt(address: string, name: string): string {
  return `${name} at ${address}`;
}
