/** Plain values and promises over the SDK's gRPC messages. */
import type { Metadata, ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

export type Values = Readonly<Record<string, unknown>>;

export function toStruct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Values {
  return struct?.toJavaScript() ?? {};
}

/** The error of a failed call, as the engine receives it. */
export class CallError extends Error {
  constructor(
    message: string,
    /** The resource that exists despite the failure. */
    readonly partial: Partial | undefined,
  ) {
    super(message);
  }
}

export interface Partial {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

type Callback<Response> = (error: ServiceError | null, response: Response) => void;

export function unary<Response>(send: (callback: Callback<Response>) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error === null ? resolve(response) : reject(callErrorOf(error))));
  });
}

export function callErrorOf(error: ServiceError): CallError {
  return new CallError(error.details, partialIn(error));
}

/** Attached to the error in the way of gRPC for errors with details. */
function partialIn({ metadata }: { readonly metadata?: Metadata }): Partial | undefined {
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  if (!(bytes instanceof Buffer)) return undefined;
  const [details] = Status.deserializeBinary(bytes).getDetailsList();
  const failed = details?.unpack(
    (data) => ErrorResourceInitFailed.deserializeBinary(data),
    "pulumirpc.ErrorResourceInitFailed",
  );
  return failed
    ? {
        id: failed.getId(),
        properties: fromStruct(failed.getProperties()),
        reasons: failed.getReasonsList(),
      }
    : undefined;
}
