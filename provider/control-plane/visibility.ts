/** Which tenants' deployments a connection can see. If it sees none of a tenant, a missing deployment does not count as deleted. */
import type { Clock } from "../time/clock";

/** How long a negative result is used; milliseconds. */
const freshness = 5_000;

export class Visibility {
  readonly #tenants = new Set<string | undefined>();
  #asked: { readonly at: number; readonly result: Promise<unknown> } | undefined;

  /** @param firstPage reads one plain page of the list, and notes whose deployments it shows */
  constructor(
    private readonly firstPage: () => Promise<unknown>,
    private readonly clock: Clock,
  ) {}

  /** Records that a response showed a deployment of the tenant, or that the service accepted a write to one. */
  note(tenantId: string | null | undefined): void {
    this.#tenants.add(tenantId?.toLowerCase());
  }

  /** @param tenantId null if unknown: matches every tenant */
  async sees(tenantId: string | null): Promise<boolean> {
    if (!this.#hasSeen(tenantId)) await this.#ask();
    return this.#hasSeen(tenantId);
  }

  #hasSeen(tenantId: string | null): boolean {
    return tenantId === null ? this.#tenants.size > 0 : this.#tenants.has(tenantId.toLowerCase());
  }

  /** Calls within seconds share one response. A failure is not kept. */
  #ask(): Promise<unknown> {
    const at = this.clock.now();
    if (this.#asked === undefined || at - this.#asked.at > freshness) {
      this.#asked = { at, result: this.firstPage() };
      this.#asked.result.catch(() => (this.#asked = undefined));
    }
    return this.#asked.result;
  }
}
