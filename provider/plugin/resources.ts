/** The operations on a resource: messages to plain values, and back. What they do is decided elsewhere. */
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type {
  CheckFailure,
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Failure } from "../deployment/check";
import { isGenerationCertain } from "../deployment/check";
import type { State, Stored } from "../deployment/state";
import { DeploymentError } from "../errors";
import { optionsKey, type Operation } from "../internal-inputs";
import type { Operations } from "../engine/operations";
import { logicalName, typeIn } from "../urn";
import { unknownValue, type Values } from "../../schema/tree";
import { diffResponse } from "./detailed-diff";
import { importedState } from "./import";
import { previewOfCreation, previewOfUpdate } from "./preview";
import { inputsMessage, isEmpty, outputsMessage, valuesIn } from "./resource-values";
import { Empty as EmptyMessage, provider } from "../engine/sdk";

export const typeToken = "deployment-service:index:Deployment";

interface Addressed {
  getUrn(): string;
  getIgnorechangesList?(): readonly string[];
}

export class Resources {
  /** @param providerUrn of the provider that was configured */
  constructor(
    private readonly operations: Operations,
    private readonly providerUrn: () => string | undefined,
  ) {}

  async check(request: CheckRequest): Promise<CheckResponse> {
    requireKnownType(request);
    const news = this.#values(request, request.getNews());
    const named = { ...news, name: news["name"] ?? logicalName(request.getUrn()) };
    const old = isEmpty(request.getOlds()) ? undefined : this.#values(request, request.getOlds());
    const { inputs, failures } = await this.operations.check(old, named);
    const isCertain = isGenerationCertain(old, inputs, this.operations.dialect);
    const shown = { ...inputs, ...(!isCertain && { generation: unknownValue }) };
    return new provider.CheckResponse()
      .setInputs(inputsMessage({ ...shown, [optionsKey]: news[optionsKey] }))
      .setFailuresList(failures.map(failureMessage));
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const [state, before, declared] = [request.getOlds(), request.getOldInputs(), request.getNews()].map(
      (message) => this.#values(request, message),
    ) as [Values, Values, Values];
    const result = await this.operations.diff(request.getId(), state, counted(state, declared));
    return diffResponse(result, { state, before, declared });
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const declared = this.#values(request, request.getProperties(), "create", request.getTimeout());
    if (request.getPreview()) {
      return new provider.CreateResponse().setProperties(
        outputsMessage(previewOfCreation(declared, this.operations.dialect)),
      );
    }
    const { id, state } = await this.operations.create(declared);
    return new provider.CreateResponse().setId(id).setProperties(outputsMessage(state));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const state = this.#values(request, request.getOlds());
    const declared = this.#values(request, request.getNews(), "update", request.getTimeout());
    const updated = request.getPreview()
      ? this.operations.previewUpdate(state, declared, previewOfUpdate)
      : await this.operations.update(request.getId(), state, declared);
    return new provider.UpdateResponse().setProperties(outputsMessage(updated));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const id = request.getId();
    const state = this.#values(request, [request.getInputs(), request.getProperties()]);
    const found = isEmpty(request.getProperties())
      ? await this.#import(id, { ...state, name: logicalName(request.getUrn()) })
      : await this.operations.read(id, state);
    if (found === undefined) return new provider.ReadResponse();
    return new provider.ReadResponse()
      .setId(id)
      .setProperties(outputsMessage(found))
      .setInputs(inputsMessage(found));
  }

  #import(id: string, resource: Values): Promise<State> {
    return this.operations.import(resource, (context) => importedState(context, id, resource));
  }

  async delete(request: DeleteRequest): Promise<Empty> {
    const messages = [request.getOldInputs(), request.getProperties()];
    const state = this.#values(request, messages, "delete", request.getTimeout());
    await this.operations.delete(request.getId(), state);
    return new EmptyMessage();
  }

  #values(
    request: Addressed,
    messages: Struct | undefined | readonly (Struct | undefined)[],
    operation?: Operation,
    seconds = 0,
  ): Values {
    const context = {
      urn: request.getUrn(),
      provider: this.providerUrn() ?? "default",
      ignoreChanges: request.getIgnorechangesList?.() ?? [],
    };
    const all = Array.isArray(messages) ? messages : [messages as Struct | undefined];
    return valuesIn(all, context, operation && { operation, seconds });
  }
}

/** What the engine has to count on where it is not known whether a revision is made. */
function counted(state: Stored, declared: Values): Values {
  if (declared.generation !== unknownValue) return declared;
  const { generation } = state;
  return { ...declared, generation: (typeof generation === "number" ? generation : 1) + 1 };
}

export function failureMessage({ property, reason }: Failure): CheckFailure {
  return new provider.CheckFailure().setProperty(property).setReason(reason);
}

function requireKnownType(request: Addressed): void {
  const type = typeIn(request.getUrn());
  if (type === typeToken) return;
  throw new DeploymentError(`unknown resource type ${type}; this package has ${typeToken}`);
}
