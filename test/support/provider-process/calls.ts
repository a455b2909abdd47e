/** A provider process, called as the engine calls it, with values in the form of the protocol. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startFakeEngine, type FakeEngine, type Message } from "./fake-engine";
import { fromStruct, toStruct, unary, type Values } from "./grpc";
import type { Project } from "./project";

export interface Failure {
  readonly property: string;
  readonly reason: string;
}

export interface Difference {
  readonly changes: "none" | "some" | "unknown";
  /** `sourceConfig.buildOnPush` to `ADD`; nothing where the provider leaves the details to the engine. */
  readonly details: Readonly<Record<string, string>>;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

export interface Change {
  /** Seconds. 0 if the program sets none. */
  readonly timeout?: number;
  readonly preview?: boolean;
}

export interface Started {
  readonly project: Project;
  readonly engine: FakeEngine;
  readonly child: ChildProcess;
  readonly client: ResourceProviderClient;
}

/** @param command the file that is run in the project, and its arguments, which the engine's address follows */
export async function startProcess(
  project: Project,
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const engine = await startFakeEngine();
  const child = spawn(file, [...args, engine.address], {
    cwd: project.folder,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [port] = (await once(createInterface(child.stdout), "line")) as [string];
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return { project, engine, child, client };
}

/** The calls for resources, with plain values. */
export abstract class Calls {
  constructor(protected readonly client: ResourceProviderClient) {}

  /** The URN of a resource of the provider. */
  abstract urn(name: string, type?: string): string;

  async check(
    name: string,
    news: Values,
    olds: Values = {},
    type?: string,
  ): Promise<{ inputs: Values; failures: Failure[] }> {
    const request = new messages.CheckRequest()
      .setUrn(this.urn(name, type))
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    const answer = await unary<messages.CheckResponse>((reply) => this.client.check(request, reply));
    return { inputs: fromStruct(answer.getInputs()), failures: answer.toObject().failuresList };
  }

  async diff(name: string, id: string, olds: Values, oldInputs: Values, news: Values): Promise<Difference> {
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(this.urn(name))
      .setOlds(toStruct(olds))
      .setOldInputs(toStruct(oldInputs))
      .setNews(toStruct(news));
    return differenceIn(await unary((reply) => this.client.diff(request, reply)));
  }

  async create(name: string, inputs: Values, { timeout = 0, preview = false }: Change = {}) {
    const request = new messages.CreateRequest()
      .setUrn(this.urn(name))
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
    { timeout = 0, preview = false, oldInputs = {} }: Change & { readonly oldInputs?: Values } = {},
  ): Promise<Values> {
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(this.urn(name))
      .setOlds(toStruct(olds))
      .setOldInputs(toStruct(oldInputs))
      .setNews(toStruct(news))
      .setTimeout(timeout)
      .setPreview(preview);
    const answer = await unary<messages.UpdateResponse>((reply) => this.client.update(request, reply));
    return fromStruct(answer.getProperties());
  }

  /** @param state what a refresh passes; an import, and a program that only reads the resource, have none */
  async read(name: string, id: string, state?: Values, inputs?: Values) {
    const request = new messages.ReadRequest().setId(id).setUrn(this.urn(name));
    if (state !== undefined) request.setProperties(toStruct(state));
    if (inputs !== undefined) request.setInputs(toStruct(inputs));
    const answer = await unary<messages.ReadResponse>((reply) => this.client.read(request, reply));
    return {
      id: answer.getId(),
      properties: fromStruct(answer.getProperties()),
      // The engine keeps its own, if it gets none.
      inputs: answer.hasInputs() ? fromStruct(answer.getInputs()) : (inputs ?? {}),
      hasInputs: answer.hasInputs(),
    };
  }

  async delete(name: string, id: string, state: Values, { timeout = 0 }: Change = {}): Promise<void> {
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(this.urn(name))
      .setProperties(toStruct(state))
      .setTimeout(timeout);
    await unary<Empty>((reply) => this.client.delete(request, reply));
  }
}

/** The calls of a process, and what it prints beside. */
export abstract class ProviderCalls extends Calls {
  readonly project: Project;
  readonly engine: FakeEngine;
  readonly child: ChildProcess;
  #output = "";

  constructor({ project, engine, child, client }: Started) {
    super(client);
    this.project = project;
    this.engine = engine;
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => (this.#output += data.toString()));
    }
  }

  /** Messages that it sent to the engine. */
  get messages(): Message[] {
    return this.engine.messages;
  }

  /** Its output besides the port, which the engine shows without a resource. */
  get output(): string {
    return this.#output.replace(/^\d+\n/, "");
  }

  /** Forgets messages and output so far. */
  forget(): void {
    this.#output = "";
    this.engine.messages.length = 0;
  }

  async version(): Promise<string> {
    const info = await unary<PluginInfo>((reply) => this.client.getPluginInfo(new Empty(), reply));
    return info.getVersion();
  }

  /** Cancels, as the engine does at the first Ctrl-C. */
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

export function differenceIn(answer: messages.DiffResponse): Difference {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const details: Record<string, string> = {};
  answer.getDetaileddiffMap().forEach((detail, path) => {
    const kinds = Object.entries(messages.PropertyDiff.Kind);
    details[path] = kinds.find(([, value]) => value === detail.getKind())![0];
  });
  const changes = { [DIFF_NONE]: "none", [DIFF_SOME]: "some" }[answer.getChanges() as 1 | 2] ?? "unknown";
  return {
    changes: changes as Difference["changes"],
    details,
    replaces: answer.getReplacesList(),
    deleteBeforeReplace: answer.getDeletebeforereplace(),
  };
}
