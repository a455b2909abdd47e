/** Polls and reads at the boundary of the provider process, which has a connection for each fault here. */
import { FailedCall, settingsFor, type Adapter, type Declared, type Provider } from "../support/adapters";
import { opened } from "../support/provider-process";
import { startEmulator, type Emulator } from "../../emulator";
import { authority } from "../support/tls";
import { proxyFor, type Proxy } from "./proxy";
import { declaredBefore } from "./operations";
import type { Fault } from "./faults";

export interface Outcome {
  readonly error: FailedCall | undefined;
  /** Whether the state holds the resource after the call. */
  readonly isHeld: boolean;
  readonly deployments: number;
  /** What the service has when all is over, and what the state says of it. */
  readonly repaired: {
    readonly deployments: number;
    readonly status: unknown;
    readonly writes: readonly string[];
  };
  /** Whether the last comparison still finds something to do. */
  readonly isRestless: boolean;
  readonly output: string;
}

/** A process whose connection meets one fault, while it is switched on. */
export class Faulty {
  private constructor(
    private readonly provider: Provider,
    private readonly service: Emulator,
    private readonly fault: Fault,
    private readonly proxy: Proxy | undefined,
    private readonly failure: { isOn: boolean },
  ) {}

  static async start(fault: Fault, adapter: Adapter, sdk: string): Promise<Faulty> {
    const failure: { isOn: boolean; proxy?: Proxy | undefined } = { isOn: false };
    const service = await startEmulator({
      rollout: fault.connection === undefined ? { polls: 1 } : "never",
      // The creation itself gets through, and a poll; what comes after them meets the fault.
      onRequest: ({ query }) => {
        const isPoll = query["deployment_ids"] !== undefined;
        if (!isPoll || !failure.isOn) return;
        failure.isOn = false;
        void failure.proxy?.break();
      },
    });
    const proxy = (failure.proxy = await proxyFor(fault, service.url));
    const provider = await adapter.start(sdk, { NODE_EXTRA_CA_CERTS: authority });
    const url = proxy?.url ?? service.url;
    await provider.configure({ ...settingsFor({ url, apiKey: service.apiKey }), requestTimeout: "4s" });
    // The first call of a process has much to load, which is not to be taken for a slow service.
    await provider.create(await provider.check(declared("first", { skipAwait: true })));
    service.reset();
    return new Faulty(provider, service, fault, proxy, failure);
  }

  /** Creates while no poll gets through; the next `up` continues to wait. */
  async poll(name: string): Promise<Outcome> {
    const { provider, service } = this;
    const customTimeouts = { create: "20s", update: "1m" } as const;
    const checked = await provider.check({ ...declared(name, {}), customTimeouts });
    const end = this.#begin();
    const made = await outcomeOf(provider.create(checked));
    const held = made.value ?? made.error?.held;
    const seen = { error: made.error, isHeld: held !== undefined, ...this.#seen() };
    await end();
    if (service.deployment(name) !== undefined) service.finish(name);
    service.clearRequests();
    const repaired = held && (await provider.update(held, checked));
    return {
      ...seen,
      repaired: this.#now(repaired?.state["status"]),
      isRestless: repaired === undefined || (await provider.diff(repaired, checked)).isChanged,
    };
  }

  /** Reads what is there; the next read gets through. */
  async refresh(name: string): Promise<Outcome> {
    const { provider, service } = this;
    const checked = await provider.check(declared(name, {}));
    const old = await provider.create(checked);
    provider.forget();
    const end = this.#begin();
    const read = await outcomeOf(provider.read(old));
    // A read that fails leaves the state as it is; one that finds nothing takes the resource out of it.
    const isHeld = read.error !== undefined || read.value !== undefined;
    const seen = { error: read.error, isHeld, ...this.#seen() };
    await end();
    service.clearRequests();
    const again = await provider.read(old);
    return {
      ...seen,
      repaired: this.#now(again && opened(again.state)["status"]),
      isRestless: again === undefined || (await provider.diff(again, checked)).isChanged,
    };
  }

  async stop(): Promise<void> {
    await this.provider.stop();
    await this.proxy?.close();
    await this.service.close();
  }

  forget(): void {
    this.service.reset();
    this.provider.forget();
  }

  #begin(): () => Promise<void> {
    const { how } = this.fault;
    const fault = how && this.service.fail({ when: { method: "GET" }, times: "always", how: how() });
    this.failure.isOn = true;
    return async () => {
      this.failure.isOn = false;
      fault?.cancel();
      await this.proxy?.repair();
    };
  }

  #seen(): Pick<Outcome, "deployments" | "output"> {
    return { deployments: this.service.deployments().length, output: this.provider.output };
  }

  #now(status: unknown): Outcome["repaired"] {
    const requests = this.service.requests().filter(({ method }) => method !== "GET");
    return {
      deployments: this.service.deployments().length,
      status,
      writes: requests.map(({ method }) => method),
    };
  }
}

function declared(name: string, more: Declared["args"]): Declared {
  return { name, args: { ...declaredBefore, ...more } };
}

async function outcomeOf<T>(call: Promise<T>): Promise<{ value?: T; error: FailedCall | undefined }> {
  try {
    return { value: await call, error: undefined };
  } catch (error) {
    if (error instanceof FailedCall) return { error };
    throw error;
  }
}
