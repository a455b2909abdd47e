/** Whose deployments a connection can see: that it does not show one is no sign of a deletion where it sees nothing. */
import type { WireTenants } from "../../schema/wire";
import type { Clock } from "../clock";

/** How long it holds that nothing of a tenant was found, in milliseconds. */
const freshness = 5_000;

export class Visibility {
  readonly #tenants = new Set<string | undefined>();
  #asked: { readonly at: number; readonly result: Promise<void> } | undefined;

  /** @param firstPage asks for one plain page of the list */
  constructor(
    private readonly firstPage: () => Promise<WireTenants>,
    private readonly clock: Clock,
  ) {}

  /** A response showed a deployment of the tenant, or the service accepted a write to one. */
  note(tenantId: string | null | undefined): void {
    this.#tenants.add(tenantId?.toLowerCase());
  }

  /** @param tenantId null, where it is not known, fits every tenant */
  async sees(tenantId: string | null): Promise<boolean> {
    if (!this.#hasSeen(tenantId)) await this.#ask();
    return this.#hasSeen(tenantId);
  }

  #hasSeen(tenantId: string | null): boolean {
    return tenantId === null ? this.#tenants.size > 0 : this.#tenants.has(tenantId.toLowerCase());
  }

  /** Whoever asks within seconds shares the response; a failure is nobody's but theirs who waited for it. */
  #ask(): Promise<void> {
    const at = this.clock.now();
    if (this.#asked === undefined || at - this.#asked.at > freshness) {
      this.#asked = { at, result: this.#read() };
      this.#asked.result.catch(() => (this.#asked = undefined));
    }
    return this.#asked.result;
  }

  async #read(): Promise<void> {
    const { resources } = await this.firstPage();
    for (const { tenant_id } of resources) this.note(tenant_id);
  }
}
