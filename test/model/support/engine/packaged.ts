/** The packaged provider as the engine talks to it: its messages, handed over without a server. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ProviderConfiguration } from "../../../../provider/plugin/configuration";
import { Resources } from "../../../../provider/plugin/resources";
import { operationError, grpcStatus } from "../../../../provider/plugin/grpc-status";
import { newController } from "../../../../provider/time/limits";
import { Operations } from "../../../../provider/engine/operations";
import { typeToken as packagedToken } from "../../../support/plugin-process";
import { Calls } from "../../../support/provider-process/calls";
import { CallError, toStruct } from "../../../support/provider-process/grpc";
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

/** The calls for a resource by its URN. */
class CallsByUrn extends Calls {
  urn(urn: string): string {
    return urn.replace(typeToken, packagedToken);
  }
}

class PackagedProcess implements Process {
  readonly #configuration: ProviderConfiguration;
  readonly #calls: Calls;

  constructor(private readonly config: Config) {
    const operations = new Operations({ failure: operationError, cancellation: () => running });
    this.#configuration = new ProviderConfiguration(operations);
    this.#calls = new CallsByUrn(clientOf(new Resources(operations, () => this.#configuration.urn)));
    const name = config["deployment-service:provider"] ?? "default";
    this.#configuration.configure(
      new messages.ConfigureRequest()
        .setUrn(`urn:pulumi:dev::shop::pulumi:providers:deployment-service::${name}`)
        .setArgs(toStruct(config)),
    );
  }

  async check(olds: Values | undefined, news: Values): Promise<Values> {
    const told = toldIn(news);
    const declared = sent({ ...news, __options: { told } });
    const { inputs, failures } = await this.#calls.check(told.urn, declared, sent(olds ?? {}));
    const [failure] = failures;
    if (failure !== undefined) throw new Error(`${failure.property}: ${failure.reason}`);
    return received(inputs, told);
  }

  async diff(id: string, outputs: Values, inputs: Values, movedFrom?: Config) {
    // Then the engine replaces it, and does not ask for a comparison.
    if (movedFrom !== undefined && this.#isMoved(movedFrom)) return { changes: true, replaces: ["provider"] };
    const { urn, replaceOnChanges = [] } = toldIn(inputs);
    const old = sent(outputs);
    const found = await this.#calls.diff(urn, id, old, old, sent(inputs));
    const names = Object.keys(found.details);
    const asked = replaceOnChanges.filter((name) => names.some((each) => each.startsWith(name)));
    return {
      changes: found.changes === "some",
      replaces: [...found.replaces, ...asked],
      deleteBeforeReplace: found.deleteBeforeReplace,
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
    const timeout = secondsOf(told, "create");
    return made(told, this.#calls.create(told.urn, sent(inputs), { timeout }));
  }

  async update(id: string, outputs: Values, inputs: Values): Promise<Made> {
    const told = toldIn(inputs);
    const timeout = secondsOf(told, "update");
    const call = this.#calls.update(told.urn, id, sent(outputs), sent(inputs), { timeout });
    return made(
      told,
      call.then((properties) => ({ id, properties })),
    );
  }

  async read(id: string, outputs: Values, inputs: Values) {
    const told = toldIn(inputs);
    const found = await this.#calls.read(told.urn, id, sent(outputs), sent(inputs));
    return {
      id: found.id,
      outputs: received(found.properties, told),
      inputs: found.hasInputs ? received(found.inputs, told) : inputs,
    };
  }

  async delete(id: string, outputs: Values): Promise<void> {
    const told = toldIn(outputs);
    await this.#calls.delete(told.urn, id, sent(outputs), { timeout: secondsOf(told, "delete") });
  }
}

/** Its calls reach the handlers as they do over gRPC, and fail as they do there. */
function clientOf(resources: Resources): ResourceProviderClient {
  const handlers = (["check", "diff", "create", "update", "read", "delete"] as const).map((name) => {
    const call = (request: never, reply: (error: unknown, response?: unknown) => void) =>
      void (resources[name](request) as Promise<unknown>).then(
        (response) => reply(null, response),
        (error: unknown) => reply(grpcStatus(error)),
      );
    return [name, call];
  });
  return Object.fromEntries(handlers) as ResourceProviderClient;
}

function toldIn({ __options: kept }: Values): Told {
  const { told = kept } = kept as Partial<Kept>;
  return told as Told;
}

function sent({ __options: kept, __provider: _, ...values }: Values): Values {
  const { own } = (kept ?? {}) as Partial<Kept>;
  return { ...values, ...(own !== undefined && { __options: own }) };
}

function received({ __options: own, ...values }: Values, told: Told): Values {
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

async function made(told: Told, call: Promise<{ id: string; properties: Values }>): Promise<Made> {
  try {
    const { id, properties } = await call;
    return { id, outputs: received(properties, told) };
  } catch (error) {
    if (!(error instanceof CallError) || error.partial === undefined) throw error;
    const { id, properties } = error.partial;
    return {
      id,
      outputs: received(properties, told),
      failure: Object.assign(new Error(error.message), { id }),
    };
  }
}
