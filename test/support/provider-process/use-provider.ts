import { afterAll, beforeAll, beforeEach } from "vitest";
import { startEmulator, type Emulator } from "../../../emulator";
import { opened, declared } from "../../support/provider-process/resource";
import { ProviderProcess } from "../../support/provider-process/provider-process";
import type { Values } from "../../support/provider-process/grpc";

/** A configured provider process and the service that it talks to. */
export interface Served {
  readonly process: ProviderProcess;
  readonly service: Emulator;
  /** As an `up` of a new resource; `state` is what the engine passes back, without the marks of secrets. */
  up(name: string, more?: Values): Promise<{ id: string; inputs: Values; state: Values; properties: Values }>;
}

export const quick = { rollout: { looks: 1 }, deletion: { looks: 1 }, secrets: "clear" } as const;

/** Starts both for the tests of a `describe`, and ends them after it; each test finds an empty service. */
export function useProvider(sdk: string): Served {
  let process: ProviderProcess | undefined;
  let service: Emulator | undefined;
  beforeAll(async () => {
    service = await startEmulator({ idSeed: 1, ...quick });
    process = await ProviderProcess.start(sdk);
    await process.configure(settingsFor(service));
  });
  beforeEach(() => {
    service?.configure(quick);
    service?.reset();
    process?.forget();
  });
  afterAll(async () => {
    await process?.stop();
    await service?.close();
  });
  return {
    get process() {
      return started(process);
    },
    get service() {
      return started(service);
    },
    async up(name, more = {}) {
      const { inputs } = await this.process.check(declared(name, more));
      const { id, properties } = await this.process.create(inputs);
      return { id, inputs, state: opened(properties), properties };
    },
  };
}

export function settingsFor({ url, apiKey }: Pick<Emulator, "url" | "apiKey">): Record<string, string> {
  return {
    "deployment-service:baseUrl": url,
    "deployment-service:apiKey": apiKey,
    "deployment-service:pollInterval": "20ms",
    "deployment-service:maxConcurrency": "4",
  };
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it is started before the first test");
  return value;
}
