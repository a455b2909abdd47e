/** Check, Diff, Create, Read, Update and Delete: maps messages to plain values and back. */
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
import type { Operation } from "../deployment/context";
import { onlyDeclared } from "../deployment/merge";
import type { Planned, State } from "../deployment/state";
import { pickArguments, shownIn, writeInputs, writeState } from "../stored/stored";
import { DeploymentError } from "../errors";
import { optionsKey, pluginTypeToken, providerKey, type Resource } from "../stored/internal-inputs";
import type { Operations } from "../engine/operations";
import { parsePropertyPaths } from "../../schema/property-path";
import { logicalName, typeIn } from "../text/urn";
import { asObject, isEqual, unknownValue, withMissing } from "../../schema/tree";
import { detailedDiffOf } from "./detailed-diff";
import { importedState } from "./import";
import { previewOfCreation, previewOfUpdate } from "./known-outputs";
import { isEmpty, unmarshal, valuesMessage } from "./marshal";
import { Empty as EmptyMessage, providerMessages } from "../engine/sdk";

interface Addressed {
  getUrn(): string;
  getIgnorechangesList?(): readonly string[];
}

export class Resources {
  /** @param providerUrn URN of the configured provider */
  constructor(
    private readonly operations: Operations,
    private readonly providerUrn: () => string | undefined,
  ) {}

  async check(request: CheckRequest): Promise<CheckResponse> {
    requireKnownType(typeIn(request.getUrn()));
    const { values, options } = this.#resource(request, request.getNews());
    const news = { values: { ...values, name: values["name"] ?? logicalName(request.getUrn()) }, options };
    const old = isEmpty(request.getOlds()) ? undefined : this.#resource(request, request.getOlds());
    const { inputs, isCertain, failures } = await this.operations.check(old, news);
    const shown: Planned = { ...inputs, ...(!isCertain && { generation: unknownValue }) };
    return new providerMessages.CheckResponse()
      .setInputs(valuesMessage(writeInputs(shown), options))
      .setFailuresList(failures.map(failureMessage));
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const old = this.#recorded(request, request.getOlds(), request.getOldInputs());
    const news = this.#resource(request, request.getNews());
    const result = await this.operations.diff(request.getId(), old, withExpectedGeneration(old, news));
    return detailedDiffOf(result, unmarshal(request.getOldInputs()).values);
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const inputs = this.#resource(request, request.getProperties(), "create", request.getTimeout());
    if (request.getPreview()) {
      const known = previewOfCreation(inputs.values, this.operations.configured.dialect);
      return new providerMessages.CreateResponse().setProperties(valuesMessage(known, inputs.options));
    }
    const { id, state } = await this.operations.create(inputs);
    return new providerMessages.CreateResponse()
      .setId(id)
      .setProperties(valuesMessage(writeState(state), inputs.options));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const old = this.#recorded(request, request.getOlds(), request.getOldInputs());
    const inputs = this.#resource(request, request.getNews(), "update", request.getTimeout());
    const updated = request.getPreview()
      ? previewOfUpdate(
          await this.operations.previewUpdate(request.getId(), old, inputs),
          this.operations.configured.dialect,
        )
      : writeState(await this.operations.update(request.getId(), old, inputs));
    return new providerMessages.UpdateResponse().setProperties(valuesMessage(updated, inputs.options));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const id = request.getId();
    const inputs = request.getInputs();
    const old = this.#recorded(request, request.getProperties(), inputs);
    const state = isEmpty(request.getProperties())
      ? await this.#import(id, logicalName(request.getUrn()), old)
      : await this.operations.read(id, old);
    if (state === undefined) return new providerMessages.ReadResponse();
    const response = new providerMessages.ReadResponse()
      .setId(id)
      .setProperties(valuesMessage(writeState(state), old.options));
    const found = writeInputs(state);
    // Without inputs in the response, the engine keeps its own.
    return isEqual(unmarshal(inputs).values, found)
      ? response
      : response.setInputs(valuesMessage(found, old.options));
  }

  #import(id: string, name: string, { values, options }: Resource): Promise<State> {
    const resource = { values: { ...values, name }, options };
    return this.operations.import(resource, (context) => importedState(context, id));
  }

  async delete(request: DeleteRequest): Promise<Empty> {
    const messages = [request.getOldInputs(), request.getProperties()];
    const old = this.#resource(request, messages, "delete", request.getTimeout());
    await this.operations.delete(request.getId(), old);
    return new EmptyMessage();
  }

  /** With what the service has already: to declare that is no change, so only the inputs say that it is declared. */
  #recorded(request: Addressed, properties: Struct | undefined, inputs: Struct | undefined): Resource {
    const { values, options } = this.#resource(request, [inputs, properties]);
    const known = onlyDeclared(shownIn(values), pickArguments(unmarshal(inputs).values));
    return { values: withMissing(values, asObject(known)), options };
  }

  /** @param messages the last one provides the values; a value that is secret in any of them is secret */
  #resource(
    request: Addressed,
    messages: Struct | undefined | readonly (Struct | undefined)[],
    operation?: Operation,
    seconds = 0,
  ): Resource {
    const parts = [messages].flat().map((message) => unmarshal(message));
    const { [providerKey]: _, [optionsKey]: __, ...values } = parts.at(-1)?.values ?? {};
    const secretPaths = parts.flatMap((part) => part.secretPaths);
    const options = {
      urn: request.getUrn(),
      provider: this.providerUrn() ?? "default",
      ignoreChanges: parsePropertyPaths(request.getIgnorechangesList?.() ?? []),
      secretPaths: secretPaths.filter(([name]) => name !== "secrets"),
      // The engine passes 0 if the program sets no timeout.
      ...(operation && seconds > 0 && { timeouts: { [operation]: `${seconds * 1000}ms` } }),
    };
    return { values, options };
  }
}

/** While it is unknown whether the update makes a revision, assumes that it does. */
function withExpectedGeneration(old: Resource, { values, options }: Resource): Resource {
  if (values["generation"] !== unknownValue) return { values, options };
  const { generation } = old.values;
  const expected = (typeof generation === "number" ? generation : 1) + 1;
  return { values: { ...values, generation: expected }, options };
}

/** @param reason names the property itself (see `checkFailureText`) */
export function failureMessage(reason: string): CheckFailure {
  return new providerMessages.CheckFailure().setReason(reason);
}

function requireKnownType(type: string): void {
  if (type === pluginTypeToken) return;
  throw new DeploymentError(`unknown resource type ${type}; this package has ${pluginTypeToken}`);
}
