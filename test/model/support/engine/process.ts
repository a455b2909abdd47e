/** A provider process as the engine talks to it. */
import type { dynamic } from "@pulumi/pulumi";
import { createProvider } from "../../../../provider/dynamic/provider";
import { providerText } from "../../../support/provider-process/resource";
import { annotated, withSecretOutputs } from "../../../support/secret-marks";
import { open, passed, type Values } from "../wire";
import type { Config } from "./state";

/** Starts a provider process with that configuration. */
export type Start = (config: Config) => Process;

/** What a comparison tells the engine; undefined changes leave it to the engine to compare the inputs. */
export type Difference = Pick<dynamic.DiffResult, "changes" | "replaces" | "deleteBeforeReplace">;

/** The calls of a provider process. Secrets are marked in what goes in and in what comes out. */
export interface Process {
  check(olds: Values | undefined, news: Values): Promise<Values>;
  /** @param movedFrom the configuration of the provider that the resource had, where that is another one */
  diff(id: string, outputs: Values, inputs: Values, movedFrom?: Config): Promise<Difference>;
  create(inputs: Values): Promise<Made>;
  update(id: string, outputs: Values, inputs: Values): Promise<Made>;
  /** An empty id says that there is no such resource. */
  read(id: string, outputs: Values, inputs: Values): Promise<Read>;
  delete(id: string, outputs: Values): Promise<void>;
}

export interface Read {
  readonly id: string;
  readonly outputs: Values;
  readonly inputs: Values;
}

export interface Made {
  readonly id: string;
  readonly outputs: Values;
  /** The resource is there, and is not as it should be. */
  readonly failure?: Error;
}

/** An error may carry the resource that exists all the same. */
interface Failed extends Error {
  readonly id?: string;
  readonly properties?: Values;
}

const withProvider = (values: Values): Values => ({ ...values, __provider: providerText });
const sent = (values: Values): Values => passed(open(values));

/** What the resource's constructor says. */
const secretOutputs = ["secrets"];

/** The stock process takes plain values, and the marks of secrets are put back on what comes out. */
class DynamicProcess implements Process {
  constructor(private readonly provider: dynamic.ResourceProvider) {}

  async check(olds: Values | undefined, news: Values): Promise<Values> {
    const { inputs, failures = [] } = await this.provider.check!(sent(olds ?? {}), sent(news));
    if (failures.length > 0)
      throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
    return annotated(withProvider(passed(inputs as Values)), news);
  }

  async diff(id: string, outputs: Values, inputs: Values): Promise<Difference> {
    return this.provider.diff!(id, sent(outputs), sent(inputs));
  }

  async create(inputs: Values): Promise<Made> {
    try {
      const { id, outs } = await this.provider.create(sent(inputs));
      return { id, outputs: outputsOf(outs as Values, inputs) };
    } catch (error) {
      return made(error as Failed, inputs);
    }
  }

  async update(id: string, outputs: Values, inputs: Values): Promise<Made> {
    try {
      const { outs } = await this.provider.update!(id, sent(outputs), sent(inputs));
      return { id, outputs: outputsOf(outs as Values, inputs) };
    } catch (error) {
      return made(error as Failed, inputs);
    }
  }

  async read(id: string, outputs: Values, inputs: Values): Promise<Read> {
    const { id: found = "", props = {}, ...more } = await this.provider.read!(id, sent(outputs));
    const given = "inputs" in more ? (more.inputs as Values | undefined) : undefined;
    return {
      id: found,
      outputs: outputsOf(props as Values, outputs),
      inputs: given === undefined ? inputs : annotated(withProvider(passed(given)), inputs),
    };
  }

  async delete(id: string, outputs: Values): Promise<void> {
    await this.provider.delete!(id, sent(outputs));
  }
}

/** The stock process packs what an error carries as it is: what is not in it is lost. */
function made(error: Failed, inputs: Values): Made {
  const { id, properties } = error;
  if (id === undefined || properties === undefined) throw error;
  return {
    id,
    outputs: withSecretOutputs(annotated(passed(properties), inputs), secretOutputs),
    failure: error,
  };
}

function outputsOf(outs: Values, given: Values): Values {
  return withSecretOutputs(annotated(withProvider(passed(outs)), given), secretOutputs);
}

export const dynamicProviders: Start = (config) => {
  const provider = createProvider();
  void provider.configure!({ config: { get: (key: string) => config[key] } as never });
  return new DynamicProcess(provider);
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
