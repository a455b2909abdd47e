/** Which tenants' deployments a connection can see. If it sees none of a tenant, a missing deployment does not count as deleted. */
export class Visibility {
  readonly #tenants = new Set<string | undefined>();
  #asked: Promise<unknown> | undefined;

  /** @param firstPage reads one plain page of the list, and notes whose deployments it shows */
  constructor(private readonly firstPage: () => Promise<unknown>) {}

  /** Records that a response showed a deployment of the tenant, or that the service accepted a write to one. */
  note(tenantId: string | null | undefined): void {
    this.#tenants.add(tenantId?.toLowerCase());
  }

  /** Asks once for all calls; a failure is not kept. Any tenant will do for null, which is an unknown one. */
  async sees(tenantId: string | null): Promise<boolean> {
    if (!this.#hasSeen(tenantId)) {
      this.#asked ??= this.firstPage();
      await this.#asked.catch((error: unknown) => {
        this.#asked = undefined;
        throw error;
      });
    }
    return this.#hasSeen(tenantId);
  }

  #hasSeen(tenantId: string | null): boolean {
    return tenantId === null ? this.#tenants.size > 0 : this.#tenants.has(tenantId.toLowerCase());
  }
}
