/** Looks and reads at the boundary of the provider process, which has a connection for each fault here. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CallError,
  declared,
  opened,
  ProviderProcess,
  settingsFor,
  urn,
  type Values,
} from "../support/provider-process";
import { startEmulator, type Emulator } from "../../emulator";
import { certifiedFront, refusingFront, type Front } from "./proxy";
import { declaredBefore } from "./operations";
import type { Fault } from "./faults";

export interface Outcome {
  readonly error: CallError | undefined;
  /** What the state holds of the resource after the call. */
  readonly state: Values | undefined;
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
    private readonly process: ProviderProcess,
    private readonly service: Emulator,
    private readonly fault: Fault,
    private readonly front: Front | undefined,
    private readonly folder: string,
    private readonly trouble: { isOn: boolean },
  ) {}

  static async start(fault: Fault, sdk: string): Promise<Faulty> {
    const trouble: { isOn: boolean; front?: Front | undefined } = { isOn: false };
    const service = await startEmulator({
      rollout: fault.connection === undefined ? { looks: 1 } : "never",
      // The creation itself gets through, and a look; what comes after them meets the fault.
      onRequest: ({ method }) => {
        if (method !== "GET" || !trouble.isOn) return;
        trouble.isOn = false;
        void trouble.front?.break();
      },
    });
    const front = (trouble.front = await frontOf(fault, service.url));
    const folder = mkdtempSync(join(tmpdir(), "trust-"));
    const trusted = join(folder, "trusted.pem");
    if (front?.trusted !== undefined) writeFileSync(trusted, front.trusted);
    const process = await ProviderProcess.start(
      sdk,
      front?.trusted === undefined ? undefined : { NODE_EXTRA_CA_CERTS: trusted },
    );
    const url = front?.url ?? service.url;
    await process.configure({
      ...settingsFor({ url, apiKey: service.apiKey }),
      "deployment-service:requestTimeout": "4s",
    });
    // The first call of a process has much to load, which is not to be taken for a slow service.
    const { inputs } = await process.check(declared("first", { skipAwait: true }));
    await process.create(inputs);
    service.reset();
    return new Faulty(process, service, fault, front, folder, trouble);
  }

  /** Creates while no look gets through; the next `up` goes on waiting. */
  async look(name: string): Promise<Outcome> {
    const { process, service } = this;
    const timeouts = { create: "40s", update: "1m" };
    const given = declared(name, { ...declaredBefore, __options: { urn: urn(name), timeouts } });
    const { inputs } = await process.check(given);
    const end = this.#begin();
    const made = await outcomeOf(process.create(inputs));
    const deployments = service.deployments().length;
    const properties = made.value?.properties ?? made.error?.partial?.properties;
    const id = made.value?.id ?? made.error?.partial?.id ?? "";
    const output = process.output;
    await end();
    if (service.deployment(name) !== undefined) service.finish(name);
    service.clearRequests();
    const state = opened(properties ?? {});
    const repaired = properties && opened(await process.update(id, state, inputs));
    return {
      error: made.error,
      state: properties,
      deployments,
      output,
      repaired: this.#now(repaired?.["status"]),
      isRestless: (await process.diff(id, repaired ?? {}, inputs)).changes === "some",
    };
  }

  /** Reads what is there; the next read gets through. */
  async refresh(name: string): Promise<Outcome> {
    const { process, service } = this;
    const { inputs } = await process.check(declared(name, declaredBefore));
    const { id, properties } = await process.create(inputs);
    const state = opened(properties);
    process.forget();
    const end = this.#begin();
    const read = await outcomeOf(process.read(id, { state, inputs }));
    const deployments = service.deployments().length;
    const output = process.output;
    await end();
    service.clearRequests();
    const again = await process.read(id, { state, inputs });
    return {
      error: read.error,
      // A read that fails leaves the state as it is; one that finds nothing takes the resource out of it.
      state: read.value === undefined || read.value.id === id ? state : undefined,
      deployments,
      output,
      repaired: this.#now(opened(again.properties)["status"]),
      isRestless: (await process.diff(id, opened(again.properties), inputs)).changes === "some",
    };
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.front?.close();
    await this.service.close();
    rmSync(this.folder, { recursive: true });
  }

  forget(): void {
    this.service.reset();
    this.process.forget();
  }

  #begin(): () => Promise<void> {
    const { how } = this.fault;
    const fault = how && this.service.fail({ when: { method: "GET" }, times: "always", how: how() });
    this.trouble.isOn = true;
    return async () => {
      this.trouble.isOn = false;
      fault?.cancel();
      await this.front?.repair();
    };
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

async function frontOf({ connection }: Fault, url: string): Promise<Front | undefined> {
  if (connection === undefined) return undefined;
  return connection === "refused" ? refusingFront(url) : certifiedFront(url);
}

async function outcomeOf<T>(call: Promise<T>): Promise<{ value?: T; error: CallError | undefined }> {
  try {
    return { value: await call, error: undefined };
  } catch (error) {
    if (error instanceof CallError) return { error };
    throw error;
  }
}
