/** The stock process that the engine loads dynamic providers in, driven as the engine drives it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startFakeEngine, type FakeEngine, type Message } from "../../support/provider-process/fake-engine";
import { fromStruct, toStruct, unary, type Values } from "../../support/provider-process/grpc";
import { makeProject, type Project } from "../../support/provider-process/project";
import { urnOf } from "./resource";

export interface CheckAnswer {
  readonly inputs: Values;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** What each failure is about: the property that it names, or else the first word of its reason. */
export function placesOf(failures: CheckAnswer["failures"]): string[] {
  return failures.map(({ property, reason }) => property || (reason.split(/: | /)[0] ?? "")).sort();
}

export interface DiffAnswer {
  readonly changes: "unknown" | "none" | "some";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export class ProviderProcess {
  #output = "";

  private constructor(
    readonly project: Project,
    private readonly engine: FakeEngine,
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {
    child.stdout?.on("data", (data: Buffer) => (this.#output += data.toString()));
    child.stderr?.on("data", (data: Buffer) => (this.#output += data.toString()));
  }

  static async start(sdk: string, env: Readonly<Record<string, string>> = {}): Promise<ProviderProcess> {
    const project = makeProject(sdk);
    const engine = await startFakeEngine();
    const child = spawn(
      process.execPath,
      ["node_modules/@pulumi/pulumi/cmd/dynamic-provider", engine.address],
      {
        cwd: project.folder,
        env: { PATH: process.env["PATH"], PULUMI_NODEJS_PROJECT: "shop", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [port] = (await once(createInterface(child.stdout!), "line")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return new ProviderProcess(project, engine, child, client);
  }

  /** What it told the engine. */
  get messages(): Message[] {
    return this.engine.messages;
  }

  /** What it printed, which the engine shows without saying of which resource. */
  get output(): string {
    return this.#output;
  }

  /** From here on, only what comes is seen. */
  forget(): void {
    this.#output = "";
    this.engine.messages.length = 0;
  }

  async version(): Promise<string> {
    const info = await unary<PluginInfo>((answer) => this.client.getPluginInfo(new Empty(), answer));
    return info.getVersion();
  }

  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new messages.ConfigureRequest().setArgs(toStruct(config));
    await unary<messages.ConfigureResponse>((answer) => this.client.configure(request, answer));
  }

  async check(news: Values, olds: Values = {}): Promise<CheckAnswer> {
    const request = new messages.CheckRequest()
      .setUrn(urnOf(news))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    const answer = await unary<messages.CheckResponse>((reply) => this.client.check(request, reply));
    return { inputs: fromStruct(answer.getInputs()), failures: answer.toObject().failuresList };
  }

  async diff(id: string, olds: Values, news: Values): Promise<DiffAnswer> {
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(urnOf(news))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    const answer = await unary<messages.DiffResponse>((reply) => this.client.diff(request, reply));
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    return {
      changes: { [DIFF_NONE]: "none", [DIFF_SOME]: "some" }[answer.getChanges() as 1 | 2] ?? "unknown",
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    } as DiffAnswer;
  }

  async create(inputs: Values): Promise<{ id: string; properties: Values }> {
    const request = new messages.CreateRequest().setUrn(urnOf(inputs)).setProperties(toStruct(inputs));
    const answer = await unary<messages.CreateResponse>((reply) => this.client.create(request, reply));
    return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
  }

  /** @param state what a refresh passes; a program that only reads the resource passes inputs instead */
  async read(
    id: string,
    { state, inputs }: { state?: Values; inputs?: Values },
  ): Promise<{ id: string; properties: Values; inputs: Values }> {
    const request = new messages.ReadRequest().setId(id).setUrn(urnOf(state ?? inputs ?? {}));
    if (state !== undefined) request.setProperties(toStruct(state));
    if (inputs !== undefined) request.setInputs(toStruct(inputs));
    const answer = await unary<messages.ReadResponse>((reply) => this.client.read(request, reply));
    return {
      id: answer.getId(),
      properties: fromStruct(answer.getProperties()),
      inputs: fromStruct(answer.getInputs()),
    };
  }

  async update(id: string, olds: Values, news: Values): Promise<Values> {
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(urnOf(news))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    const answer = await unary<messages.UpdateResponse>((reply) => this.client.update(request, reply));
    return fromStruct(answer.getProperties());
  }

  async delete(id: string, state: Values): Promise<void> {
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(urnOf(state))
      .setProperties(toStruct(state));
    await unary<Empty>((reply) => this.client.delete(request, reply));
  }

  /** What the engine says at the first Ctrl-C. */
  async cancel(): Promise<void> {
    await unary<Empty>((reply) => this.client.cancel(new Empty(), reply));
  }

  async stop(): Promise<void> {
    this.client.close();
    const ended = once(this.child, "close");
    this.child.kill();
    await ended;
    this.engine.stop();
    this.project.remove();
  }
}
