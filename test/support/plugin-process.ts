/** The packaged provider in its own process, driven as the engine drives it. Values are as the protocol writes them. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startFakeEngine, type FakeEngine } from "./provider-process/fake-engine";
import { fromStruct, toStruct, unary, type Values } from "./provider-process/grpc";
import { makeProject, packageName, type Project } from "./provider-process/project";

export const typeToken = "deployment-service:index:Deployment";
export const urn = (name: string, type = typeToken): string => `urn:pulumi:dev::shop::${type}::${name}`;
export const providerUrn = (name: string): string => urn(name, "pulumi:providers:deployment-service");

export interface Failure {
  readonly property: string;
  readonly reason: string;
}

export interface Difference {
  readonly changes: "none" | "some" | "unknown";
  /** `sourceConfig.buildOnPush` to `ADD` */
  readonly details: Readonly<Record<string, string>>;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export interface Change {
  readonly timeout?: number;
  readonly preview?: boolean;
}

export interface StartOptions {
  /** As an engine starts it that finds no executable: by what the SDK has for plugins in JavaScript. */
  readonly withRunner?: boolean;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export class PluginProcess {
  #output = "";

  private constructor(
    readonly project: Project,
    readonly engine: FakeEngine,
    readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => (this.#output += data.toString()));
    }
  }

  static async start(
    sdk: string,
    { withRunner = false, env = {} }: StartOptions = {},
  ): Promise<PluginProcess> {
    const project = makeProject(sdk);
    const engine = await startFakeEngine();
    const folder = join(project.folder, "node_modules", packageName, "plugin");
    const runner = join(project.folder, "node_modules/@pulumi/pulumi/cmd/run-plugin");
    const [file, ...args] = withRunner
      ? [process.execPath, runner, folder]
      : process.platform === "win32"
        ? [process.execPath, join(folder, "index.js")]
        : [join(folder, "pulumi-resource-deployment-service")];
    const child = spawn(file!, [...args, engine.address], {
      cwd: project.folder,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [port] = (await once(createInterface(child.stdout!), "line")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return new PluginProcess(project, engine, child, client);
  }

  /** What it printed beside its port. */
  get output(): string {
    return this.#output;
  }

  /** From here on, only what comes is seen. */
  forget(): void {
    this.#output = "";
    this.engine.messages.length = 0;
  }

  async handshake(): Promise<messages.ProviderHandshakeResponse.AsObject> {
    const request = new messages.ProviderHandshakeRequest().setEngineAddress(this.engine.address);
    const answer = await unary<messages.ProviderHandshakeResponse>((reply) =>
      this.client.handshake(request, reply),
    );
    return answer.toObject();
  }

  async version(): Promise<string> {
    const info = await unary<PluginInfo>((reply) => this.client.getPluginInfo(new Empty(), reply));
    return info.getVersion();
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
    return difference(await unary((reply) => this.client.diffConfig(request, reply)));
  }

  async configure(name: string, args: Values): Promise<void> {
    const request = new messages.ConfigureRequest()
      .setUrn(providerUrn(name))
      .setName(name)
      .setArgs(toStruct(args));
    await unary((reply) => this.client.configure(request, reply));
  }

  async check(
    name: string,
    news: Values,
    olds: Values = {},
    type = typeToken,
  ): Promise<{ inputs: Values; failures: Failure[] }> {
    const request = new messages.CheckRequest()
      .setUrn(urn(name, type))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    const answer = await unary<messages.CheckResponse>((reply) => this.client.check(request, reply));
    return { inputs: fromStruct(answer.getInputs()), failures: answer.toObject().failuresList };
  }

  async diff(name: string, id: string, olds: Values, oldInputs: Values, news: Values): Promise<Difference> {
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(urn(name))
      .setOlds(toStruct(olds))
      .setOldInputs(toStruct(oldInputs))
      .setNews(toStruct(news));
    return difference(await unary((reply) => this.client.diff(request, reply)));
  }

  async create(name: string, inputs: Values, { timeout = 0, preview = false }: Change = {}) {
    const request = new messages.CreateRequest()
      .setUrn(urn(name))
      .setProperties(toStruct(inputs))
      .setTimeout(timeout)
      .setPreview(preview);
    const answer = await unary<messages.CreateResponse>((reply) => this.client.create(request, reply));
    return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
  }

  async update(
    name: string,
    id: string,
    olds: Values,
    news: Values,
    { timeout = 0, preview = false }: Change = {},
  ) {
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(urn(name))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setTimeout(timeout)
      .setPreview(preview);
    const answer = await unary<messages.UpdateResponse>((reply) => this.client.update(request, reply));
    return fromStruct(answer.getProperties());
  }

  /** Without a state it is an import. */
  async read(name: string, id: string, state?: Values, inputs?: Values) {
    const request = new messages.ReadRequest().setId(id).setUrn(urn(name));
    if (state !== undefined) request.setProperties(toStruct(state));
    if (inputs !== undefined) request.setInputs(toStruct(inputs));
    const answer = await unary<messages.ReadResponse>((reply) => this.client.read(request, reply));
    return {
      id: answer.getId(),
      properties: fromStruct(answer.getProperties()),
      inputs: fromStruct(answer.getInputs()),
    };
  }

  async delete(name: string, id: string, state: Values, { timeout = 0 }: Change = {}): Promise<void> {
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(urn(name))
      .setProperties(toStruct(state))
      .setTimeout(timeout);
    await unary<Empty>((reply) => this.client.delete(request, reply));
  }

  async invoke(name: string, args: Values): Promise<Values> {
    const request = new messages.InvokeRequest()
      .setTok(`deployment-service:index:${name}`)
      .setArgs(toStruct(args));
    const answer = await unary<messages.InvokeResponse>((reply) => this.client.invoke(request, reply));
    return fromStruct(answer.getReturn());
  }

  /** What the engine says at the first Ctrl-C. */
  async cancel(): Promise<void> {
    await unary<Empty>((reply) => this.client.cancel(new Empty(), reply));
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, "close");
      this.child.kill();
      await ended;
    }
    this.engine.stop();
    this.project.remove();
  }
}

function difference(answer: messages.DiffResponse): Difference {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const details: Record<string, string> = {};
  answer.getDetaileddiffMap().forEach((detail, path) => {
    const kinds = Object.entries(messages.PropertyDiff.Kind);
    details[path] = kinds.find(([, value]) => value === detail.getKind())![0];
  });
  const changes = { [DIFF_NONE]: "none", [DIFF_SOME]: "some" }[answer.getChanges() as 1 | 2] ?? "unknown";
  return {
    changes: answer.getHasdetaileddiff() ? (changes as Difference["changes"]) : "unknown",
    details,
    replaces: answer.getReplacesList(),
    deleteBeforeReplace: answer.getDeletebeforereplace(),
  };
}
