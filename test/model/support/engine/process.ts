/** Provider processes, in the process of the tests. */
import type { dynamic } from "@pulumi/pulumi";
import { createProvider } from "../../../../provider/dynamic/provider";
import { DynamicProvider, type Provider } from "../../../support/adapters";
import type { ResourceCalls } from "../../../support/adapters/adapter";
import { CallError } from "../../../support/provider-process/grpc";
import { providerText } from "../../../support/provider-process/resource";
import { passed, type Values } from "../wire";
import type { Config } from "./state";

export interface Process extends Provider {
  /** Whether a resource is replaced that had a provider with that configuration. */
  isMoved?(config: Config): boolean;
}

/** Starts a provider process with that configuration. */
export type Start = (config: Config) => Process;

const withProvider = (values: Values): Values => ({ ...passed(values), __provider: providerText });

/** The stock process, which calls the provider's object. Plain values go through it as JSON does. */
class StockProcess implements ResourceCalls {
  constructor(private readonly provider: dynamic.ResourceProvider) {}

  urn(urn: string): string {
    return urn;
  }

  async check(_: string, news: Values, olds: Values = {}) {
    const { inputs, failures = [] } = await this.provider.check!(passed(olds), passed(news));
    return { inputs: withProvider(inputs as Values), failures };
  }

  async diff(_: string, id: string, olds: Values, __: Values, news: Values) {
    const { changes, ...answer } = await this.provider.diff!(id, passed(olds), passed(news));
    const { replaces = [], deleteBeforeReplace = false } = answer;
    const told =
      changes === undefined ? ("unknown" as const) : changes ? ("some" as const) : ("none" as const);
    return { changes: told, details: {}, replaces, deleteBeforeReplace };
  }

  async create(_: string, inputs: Values) {
    const { id, outs } = await this.provider.create(passed(inputs)).catch(failed);
    return { id, properties: withProvider(outs as Values) };
  }

  async update(_: string, id: string, olds: Values, news: Values): Promise<Values> {
    const { outs } = await this.provider.update!(id, passed(olds), passed(news)).catch(failed);
    return withProvider(outs as Values);
  }

  async read(_: string, id: string, state: Values = {}, given: Values = {}) {
    const { id: found = "", props = {}, ...more } = await this.provider.read!(id, passed(state));
    const inputs = "inputs" in more ? (more.inputs as Values | undefined) : undefined;
    return {
      id: found,
      properties: withProvider(props as Values),
      inputs: inputs === undefined ? given : withProvider(inputs),
      hasInputs: inputs !== undefined,
    };
  }

  async delete(_: string, id: string, state: Values): Promise<void> {
    await this.provider.delete!(id, passed(state));
  }
}

/** The stock process packs what an error carries as it is: what is not in it is lost. */
function failed(error: Error & { readonly id?: string; readonly properties?: Values }): never {
  const { id, properties, message } = error;
  if (id === undefined || properties === undefined) throw error;
  throw new CallError(message, { id, properties: passed(properties), reasons: [message] });
}

export const dynamicProviders: Start = (config) => {
  const provider = createProvider();
  void provider.configure!({ config: { get: (key: string) => config[key] } as never });
  return new DynamicProvider(new StockProcess(provider));
};

/** One process for each provider, for as long as the command runs. */
export class Processes {
  readonly #running = new Map<string, { readonly config: Config; readonly process: Process }>();

  #started = 0;

  constructor(private readonly start: Start) {}

  get started(): number {
    return this.#started;
  }

  /** The running one, unless it was started with another configuration. */
  of(reference: string, config: Config): Process {
    const running = this.#running.get(reference);
    if (running !== undefined && sameConfig(running.config, config)) return running.process;
    const process = this.start(config);
    this.#started++;
    this.#running.set(reference, { config, process });
    return process;
  }
}

function sameConfig(a: Config, b: Config): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
