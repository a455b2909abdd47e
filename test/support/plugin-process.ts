/** The packaged provider in its own process. */
import { join } from "node:path";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import {
  differenceIn,
  ProviderCalls,
  startProcess,
  type Difference,
  type Failure,
} from "./provider-process/calls";
import { fromStruct, toStruct, unary, type Values } from "./provider-process/grpc";
import { makeProject, packageName } from "./provider-process/project";

export const typeToken = "deployment-service:index:Deployment";
export const urn = (name: string, type = typeToken): string => `urn:pulumi:dev::shop::${type}::${name}`;
export const providerUrn = (name: string): string => urn(name, "pulumi:providers:deployment-service");

export interface StartOptions {
  /** Starts it through the SDK's runner for plugins, as an engine does that finds no executable. */
  readonly withRunner?: boolean;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export class PluginProcess extends ProviderCalls {
  static async start(
    sdk: string,
    { withRunner = false, env = {} }: StartOptions = {},
  ): Promise<PluginProcess> {
    const project = makeProject(sdk);
    const folder = join(project.folder, "node_modules", packageName, "plugin");
    const runner = join(project.folder, "node_modules/@pulumi/pulumi/cmd/run-plugin");
    const command = withRunner
      ? ([process.execPath, runner, folder] as const)
      : process.platform === "win32"
        ? ([process.execPath, join(folder, "index.js")] as const)
        : ([join(folder, "pulumi-resource-deployment-service")] as const);
    return new PluginProcess(await startProcess(project, command, env));
  }

  urn(name: string, type?: string): string {
    return urn(name, type);
  }

  async handshake(): Promise<messages.ProviderHandshakeResponse.AsObject> {
    const request = new messages.ProviderHandshakeRequest().setEngineAddress(this.engine.address);
    const answer = await unary<messages.ProviderHandshakeResponse>((reply) =>
      this.client.handshake(request, reply),
    );
    return answer.toObject();
  }

  async schema(): Promise<Values> {
    const request = new messages.GetSchemaRequest();
    const answer = await unary<messages.GetSchemaResponse>((reply) => this.client.getSchema(request, reply));
    return JSON.parse(answer.getSchema()) as Values;
  }

  async mapping(): Promise<void> {
    await unary((reply) => this.client.getMapping(new messages.GetMappingRequest(), reply));
  }

  async checkConfig(name: string, news: Values): Promise<{ inputs: Values; failures: Failure[] }> {
    const request = new messages.CheckRequest()
      .setUrn(providerUrn(name))
      .setOlds(toStruct({}))
      .setNews(toStruct(news));
    const answer = await unary<messages.CheckResponse>((reply) => this.client.checkConfig(request, reply));
    return { inputs: fromStruct(answer.getInputs()), failures: answer.toObject().failuresList };
  }

  async diffConfig(name: string, olds: Values, news: Values): Promise<Difference> {
    const request = new messages.DiffRequest()
      .setUrn(providerUrn(name))
      .setOldInputs(toStruct(olds))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    return differenceIn(await unary((reply) => this.client.diffConfig(request, reply)));
  }

  async configure(name: string, args: Values): Promise<void> {
    const request = new messages.ConfigureRequest()
      .setUrn(providerUrn(name))
      .setName(name)
      .setArgs(toStruct(args));
    await unary((reply) => this.client.configure(request, reply));
  }

  async invoke(name: string, args: Values): Promise<Values> {
    const request = new messages.InvokeRequest()
      .setTok(`deployment-service:index:${name}`)
      .setArgs(toStruct(args));
    const answer = await unary<messages.InvokeResponse>((reply) => this.client.invoke(request, reply));
    return fromStruct(answer.getReturn());
  }
}
