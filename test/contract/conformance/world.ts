import { startEmulator } from "../../../emulator";
import { settingsFor, type Adapter, type Provider } from "../../support/adapters";
import type { World } from "./law";

const quick = { rollout: { polls: 1 }, deletion: { polls: 1 }, secrets: "clear" } as const;

interface Started extends World {
  /** Empties the service and forgets all messages. */
  reset(): void;
  end(): Promise<void>;
}

/** A process that is not configured yet, with a service. */
export async function startWorld(adapter: Adapter, sdk: string): Promise<Started> {
  const service = await startEmulator(quick);
  const provider = await adapter.start(sdk);
  const settings = settingsFor(service);
  const others: Provider[] = [];
  return {
    provider,
    service,
    sdk,
    settings,
    async up(declared) {
      const held = await provider.create(await provider.check(declared));
      service.clearRequests();
      return held;
    },
    async compare(old, now) {
      const checked = await provider.check(now, old);
      return { ...checked, ...(await provider.diff(old, checked)) };
    },
    async nextRun() {
      const next = await adapter.start(sdk);
      others.push(next);
      await next.configure(settings);
      return next;
    },
    reset() {
      service.configure(quick);
      service.reset();
      provider.process.forget();
    },
    async end() {
      await Promise.all([provider, ...others].map((each) => each.process.stop()));
      await service.close();
    },
  };
}
