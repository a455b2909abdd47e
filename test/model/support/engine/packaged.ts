/** The packaged provider as the engine talks to it: its messages, handed over without a server. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { ServiceError } from "@grpc/grpc-js";
import { ProviderConfiguration } from "../../../../provider/plugin/configuration";
import { Resources } from "../../../../provider/plugin/resources";
import { operationError, grpcStatus } from "../../../../provider/plugin/grpc-status";
import { newController } from "../../../../provider/time/limits";
import { Operations } from "../../../../provider/engine/operations";
import { typeToken as packagedToken } from "../../../support/plugin-process";
import { callErrorOf, CallError, fromStruct, toStruct } from "../../../support/provider-process/grpc";
import { typeToken } from "../../../support/provider-process/resource";
import { withSecretOutputs } from "../../../support/secret-marks";
import type { Values } from "../wire";
import type { Made, Process, Start } from "./process";
import type { Config } from "./state";

const running = newController().signal;

/** What the program tells the engine, and the dynamic provider by an input. */
interface Told {
  readonly urn: string;
  readonly provider: string;
  readonly timeouts?: Readonly<Record<string, string>>;
  readonly replaceOnChanges?: readonly string[];
}

/** In the fake engine's resources both stand under one name: what the program tells, and what the provider keeps. */
interface Kept {
  readonly told: Told;
  readonly own?: unknown;
}

export const packagedProviders: Start = (config) => new PackagedProcess(config);

class PackagedProcess implements Process {
  readonly #configuration: ProviderConfiguration;
  readonly #resources: Resources;

  constructor(private readonly config: Config) {
    const operations = new Operations({ failure: operationError, cancellation: () => running });
    this.#configuration = new ProviderConfiguration(operations);
    this.#resources = new Resources(operations, () => this.#configuration.urn);
    const name = config["deployment-service:provider"] ?? "default";
    this.#configuration.configure(
      new messages.ConfigureRequest()
        .setUrn(`urn:pulumi:dev::shop::pulumi:providers:deployment-service::${name}`)
        .setArgs(toStruct(config)),
    );
  }

  async check(olds: Values | undefined, news: Values): Promise<Values> {
    const told = toldIn(news);
    const request = new messages.CheckRequest()
      .setUrn(urnOf(told))
      .setOlds(sent(olds ?? {}))
      .setNews(sent({ ...news, __options: { told } }));
    const response = await called(() => this.#resources.check(request));
    const [failure] = response.getFailuresList();
    if (failure !== undefined) throw new Error(`${failure.getProperty()}: ${failure.getReason()}`);
    return received(response.getInputs(), told);
  }

  async diff(id: string, outputs: Values, inputs: Values, movedFrom?: Config) {
    // Then the engine replaces it, and does not ask for a comparison.
    if (movedFrom !== undefined && this.#isMoved(movedFrom)) return { changes: true, replaces: ["provider"] };
    const told = toldIn(inputs);
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(urnOf(told))
      .setOlds(sent(outputs))
      .setOldInputs(sent(outputs))
      .setNews(sent(inputs));
    const response = await called(() => this.#resources.diff(request));
    const names = [...response.getDetaileddiffMap().keys()].map(String);
    const asked = (told.replaceOnChanges ?? []).filter((name) => names.some((each) => each.startsWith(name)));
    return {
      changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: [...response.getReplacesList(), ...asked],
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  }

  /** Asked of a provider that is configured, where a resource had another one. */
  #isMoved(config: Config): boolean {
    const request = new messages.DiffRequest()
      .setOldInputs(toStruct(config))
      .setOlds(toStruct(config))
      .setNews(toStruct(this.config));
    return this.#configuration.diff(request).getReplacesList().length > 0;
  }

  async create(inputs: Values): Promise<Made> {
    const told = toldIn(inputs);
    const request = new messages.CreateRequest()
      .setUrn(urnOf(told))
      .setProperties(sent(inputs))
      .setTimeout(secondsOf(told, "create"));
    return made(told, async () => {
      const response = await called(() => this.#resources.create(request));
      return { id: response.getId(), outputs: received(response.getProperties(), told) };
    });
  }

  async update(id: string, outputs: Values, inputs: Values): Promise<Made> {
    const told = toldIn(inputs);
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(urnOf(told))
      .setOlds(sent(outputs))
      .setNews(sent(inputs))
      .setTimeout(secondsOf(told, "update"));
    return made(told, async () => {
      const response = await called(() => this.#resources.update(request));
      return { id, outputs: received(response.getProperties(), told) };
    });
  }

  async read(id: string, outputs: Values, inputs: Values) {
    const told = toldIn(inputs);
    const request = new messages.ReadRequest()
      .setId(id)
      .setUrn(urnOf(told))
      .setProperties(sent(outputs))
      .setInputs(sent(inputs));
    const response = await called(() => this.#resources.read(request));
    return {
      id: response.getId(),
      outputs: received(response.getProperties(), told),
      inputs: response.hasInputs() ? received(response.getInputs(), told) : inputs,
    };
  }

  async delete(id: string, outputs: Values): Promise<void> {
    const told = toldIn(outputs);
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(urnOf(told))
      .setProperties(sent(outputs))
      .setTimeout(secondsOf(told, "delete"));
    await called(() => this.#resources.delete(request));
  }
}

function toldIn({ __options: kept }: Values): Told {
  const { told = kept } = kept as Partial<Kept>;
  return told as Told;
}

const urnOf = ({ urn }: Told): string => urn.replace(typeToken, packagedToken);

function sent({ __options: kept, __provider: _, ...values }: Values) {
  const { own } = (kept ?? {}) as Partial<Kept>;
  return toStruct({ ...values, ...(own !== undefined && { __options: own }) });
}

function received(message: Parameters<typeof fromStruct>[0], told: Told): Values {
  const { __options: own, ...values } = fromStruct(message);
  const kept: Kept = { told, ...(own !== undefined && { own }) };
  return { ...withSecretOutputs(values, isAddressStated(values) ? [] : ["url"]), __options: kept };
}

/**
 * What is adopted may have an address that another resource gave as a secret: the program says so of the output, with
 * `additionalSecretOutputs`. That of one that it states is the provider's to mark.
 */
function isAddressStated({ sourceConfig }: Values): boolean {
  return Object.hasOwn((sourceConfig ?? {}) as Values, "customUrl");
}

/** `90s` */
function secondsOf({ timeouts = {} }: Told, operation: string): number {
  return Number.parseInt(timeouts[operation] ?? "0", 10);
}

/** A call that fails, fails as it does over gRPC. */
async function called<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw callErrorOf(grpcStatus(error) as ServiceError);
  }
}

async function made(told: Told, call: () => Promise<Made>): Promise<Made> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CallError) || error.partial === undefined) throw error;
    const { id, properties } = error.partial;
    const outputs = received(toStruct(properties), told);
    return { id, outputs, failure: Object.assign(new Error(error.message), { id }) };
  }
}
