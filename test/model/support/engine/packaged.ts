/** The packaged provider in the process of the tests: its messages, handed over without a server. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ProviderConfiguration } from "../../../../provider/plugin/configuration";
import { Resources } from "../../../../provider/plugin/resources";
import { operationError, grpcStatus } from "../../../../provider/plugin/grpc-status";
import { newController } from "../../../../provider/time/limits";
import { Operations } from "../../../../provider/engine/operations";
import { PackagedProvider } from "../../../support/adapters";
import { typeToken as packagedToken } from "../../../support/plugin-process";
import { Calls } from "../../../support/provider-process/calls";
import { toStruct } from "../../../support/provider-process/grpc";
import { typeToken } from "../../../support/provider-process/resource";
import type { Values } from "../wire";
import type { Start } from "./process";
import type { Config } from "./state";

const running = newController().signal;

/** The calls for a resource by the URN that the dynamic provider's has. */
class CallsByUrn extends Calls {
  urn(urn: string): string {
    return urn.replace(typeToken, packagedToken);
  }
}

export const packagedProviders: Start = (config) => {
  const operations = new Operations({ failure: operationError, cancellation: () => running });
  const configuration = new ProviderConfiguration(operations);
  const calls = new CallsByUrn(clientOf(new Resources(operations, () => configuration.urn)));
  const name = config["deployment-service:provider"] ?? "default";
  configuration.configure(
    new messages.ConfigureRequest()
      .setUrn(`urn:pulumi:dev::shop::pulumi:providers:deployment-service::${name}`)
      .setArgs(toStruct(config)),
  );
  /** Asked of a provider that is configured, where a resource had another one. */
  const isMoved = (before: Config) => {
    const request = new messages.DiffRequest()
      .setOldInputs(toStruct(before))
      .setOlds(toStruct(before))
      .setNews(toStruct(config));
    return configuration.diff(request).getReplacesList().length > 0;
  };
  return Object.assign(new PackagedProvider(calls, secretOutputs), { isMoved });
};

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

/**
 * What is adopted may have an address that another resource gave as a secret: the program says so of the output. That of one that
 * it states is the provider's to mark.
 */
function secretOutputs({ sourceConfig }: Values): string[] {
  return Object.hasOwn((sourceConfig ?? {}) as Values, "customUrl") ? [] : ["url"];
}
