/** A service for each lookup: one deployment and one repository, and a fault that hits whatever is asked. */
import { startEmulator, type Emulator } from "../../emulator";
import { bodyOf } from "./fault-case";
import { secretValue } from "./faults";
import { proxyFor } from "./proxy";
import type { FaultCase } from "./table";
import { repositoryOf } from "../support/repository";

export const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";
/** What a lookup knows to be secret, and a service may echo. */
export const apiKey = secretValue;

export interface Asked {
  readonly url: string;
  readonly service: Emulator;
  /** The fault is over. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

const repository = repositoryOf(integrationId);

export async function serviceWith(faultCase: FaultCase): Promise<Asked> {
  const { fault, name } = faultCase;
  const service = await startEmulator({ apiKey });
  service.create(bodyOf(faultCase));
  service.repositories(integrationId, [repository]);
  const proxy = await proxyFor(fault, service.url);
  const planned = fault.how && service.fail({ times: "always", how: fault.how() });
  fault.condition?.before?.(service, name);
  await proxy?.break();
  return {
    url: proxy?.url ?? service.url,
    service,
    repair: async () => {
      planned?.cancel();
      await proxy?.repair();
      if (service.deployment(name) !== undefined) fault.condition?.over?.(service, name);
    },
    close: async () => {
      await proxy?.close();
      await service.close();
    },
  };
}
