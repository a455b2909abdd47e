/** What the engine remembers between two commands. */
import type { Held } from "../../../support/adapters";

export interface Resource extends Held {
  readonly urn: string;
  /** URN and id of the provider that made it: that one refreshes and deletes it. */
  readonly provider: string;
  /** Its last operation ended with a resource that is not as it should be yet: `initErrors`. */
  readonly isBroken?: boolean;
  /** Replaced, and still to be deleted: `delete`. */
  readonly isReplaced?: boolean;
  /** Deleted to be replaced, and not created again yet: `pendingReplacement`. */
  readonly isHalfReplaced?: boolean;
  /** To be replaced by the next `up`: `taint`. */
  readonly isTainted?: boolean;
}

/** A provider, by its URN and the id that the engine gave it. */
export interface ProviderResource {
  readonly urn: string;
  readonly id: string;
  readonly config: Config;
}

export type Config = Readonly<Record<string, string>>;

export const referenceOf = ({ urn, id }: ProviderResource): string => `${urn}::${id}`;

export class State {
  #resources: readonly Resource[] = [];
  #providers: readonly ProviderResource[] = [];

  /** In the order in which they were made. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  get providers(): readonly ProviderResource[] {
    return this.#providers;
  }

  /** The resource that a program can mean: not one that was replaced. */
  live(urn: string): Resource | undefined {
    return this.#resources.find((each) => each.urn === urn && !each.isReplaced);
  }

  /** Those that stand for a deployment of the stack's. */
  get held(): readonly Resource[] {
    return this.#resources.filter(({ isHalfReplaced }) => !isHalfReplaced);
  }

  /** Writes several changes at once: what was, and what is there in its place. */
  write(...changes: readonly (readonly [Resource | undefined, Resource | undefined])[]): void {
    for (const [old, now] of changes) {
      if (old === undefined) this.#resources = [...this.#resources, ...(now ? [now] : [])];
      else this.#resources = this.#resources.flatMap((each) => (each !== old ? [each] : now ? [now] : []));
    }
  }

  provider(reference: string): ProviderResource | undefined {
    return this.#providers.find((each) => referenceOf(each) === reference);
  }

  writeProvider(provider: ProviderResource): void {
    this.#providers = [...this.#providers.filter(({ urn }) => urn !== provider.urn), provider];
  }

  /** Providers that no program declares leave after the last of their resources. */
  dropProviders(isDeclared: (urn: string) => boolean): void {
    const used = new Set(this.#resources.map(({ provider }) => provider));
    this.#providers = this.#providers.filter((each) => isDeclared(each.urn) || used.has(referenceOf(each)));
  }
}
