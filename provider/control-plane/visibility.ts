/** Whose deployments a connection can see: that it does not show one is no sign of a deletion where it sees nothing. */
import type { WireTenants } from "../../schema/wire";
import type { Clock } from "../clock";
import type { Visible } from "../deployment/service";

/** How long it holds that nothing of a tenant was found, in milliseconds. */
const freshness = 5_000;

export class Visibility {
  /** In lower case, since letter case means nothing in a UUID; null where a response or a call names no tenant. */
  readonly #tenants = new Set<string | null>();
  /** A call that names no tenant changed something: whoever asks may have been meant. */
  #changedSomething = false;
  #asked: { readonly at: number; readonly result: Promise<void> } | undefined;

  /** @param firstPage asks for one plain page of the list */
  constructor(
    private readonly firstPage: () => Promise<WireTenants>,
    private readonly clock: Clock,
  ) {}

  /** A response showed a deployment of a tenant. */
  note(tenantId: string | null | undefined): void {
    this.#tenants.add(normal(tenantId ?? null));
  }

  /** The service accepted a write that it answers with nothing. */
  noteWrite(tenantId: string | null | undefined): void {
    if (typeof tenantId === "string") this.note(tenantId);
    else this.#changedSomething = true;
  }

  async sees(tenantId: string | null): Promise<Visible> {
    if (this.#hasSeen(tenantId)) return "tenant";
    await this.#ask();
    if (this.#hasSeen(tenantId)) return "tenant";
    return this.#tenants.size > 0 ? "other tenants" : "nothing";
  }

  #hasSeen(tenantId: string | null): boolean {
    if (this.#changedSomething) return true;
    return tenantId === null ? this.#tenants.size > 0 : this.#tenants.has(normal(tenantId));
  }

  /** Whoever asks within seconds shares the response; a failure is nobody's but theirs who waited for it. */
  #ask(): Promise<void> {
    const now = this.clock.now();
    if (this.#asked === undefined || now - this.#asked.at > freshness) {
      this.#asked = { at: now, result: this.#read() };
      this.#asked.result.catch(() => (this.#asked = undefined));
    }
    return this.#asked.result;
  }

  async #read(): Promise<void> {
    const { resources } = await this.firstPage();
    for (const { tenant_id } of resources) this.note(tenant_id);
  }
}

function normal<T extends string | null>(tenantId: T): T {
  return (tenantId?.toLowerCase() ?? null) as T;
}
