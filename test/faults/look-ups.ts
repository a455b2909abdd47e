/** A service for each look-up: one deployment and one repository, and a fault that hits whatever is asked. */
import { startEmulator, type Emulator } from "../../emulator";
import { bodyOf } from "./fault-case";
import { secretValue } from "./faults";
import { certifiedFront, refusingFront, type Front } from "./proxy";
import type { Cell } from "./table";

export const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
/** What a look-up knows to be secret, and a service may echo. */
export const apiKey = secretValue;

export interface Asked {
  readonly url: string;
  /** PEM of the certificate that is to be trusted. */
  readonly trusted: string | undefined;
  readonly service: Emulator;
  /** The fault is over. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

const repository = {
  host_integration_id: integrationId,
  id: 7,
  name: "chat",
  owner: "acme",
  url: "https://code.example.com/acme/chat",
  default_branch: "trunk",
};

export async function serviceWith(cell: Cell): Promise<Asked> {
  const { fault, name } = cell;
  const service = await startEmulator({ apiKey });
  service.create(bodyOf(cell));
  service.repositories(integrationId, [repository]);
  const front = await frontOf(cell, service.url);
  const planned = fault.how && service.fail({ times: "always", how: fault.how() });
  fault.condition?.before?.(service, name);
  await front?.break();
  return {
    url: front?.url ?? service.url,
    trusted: front?.trusted,
    service,
    repair: async () => {
      planned?.cancel();
      await front?.repair();
      if (service.deployment(name) !== undefined) fault.condition?.over?.(service, name);
    },
    close: async () => {
      await front?.close();
      await service.close();
    },
  };
}

async function frontOf({ fault }: Cell, url: string): Promise<Front | undefined> {
  if (fault.connection === undefined) return undefined;
  return fault.connection === "refused" ? refusingFront(url) : certifiedFront(url);
}
