/** Converts errors to gRPC statuses. */
import type { Metadata, ServerErrorResponse } from "@grpc/grpc-js";
import { UnfinishedError } from "../deployment/state";
import { DeploymentError, messageOf } from "../errors";
import { longestText, sanitize } from "../text/sanitize";
import type { ResourceOptions } from "../deployment/context";
import { failureText } from "../engine/failure-text";
import type { Protocol } from "../engine/operations";
import { writeState } from "../stored/stored";
import { valuesMessage } from "./marshal";
import { Any, grpc, providerMessages, Status } from "../engine/sdk";

/** A failed operation, with the text for the user. */
export class OperationError extends DeploymentError {
  override readonly name = "OperationError";

  constructor(
    message: string,
    /** The resource, if the service has the deployment nevertheless. */
    readonly metadata: Metadata | undefined,
  ) {
    super(message);
  }
}

export const operationError: Protocol["failure"] = (operation, resource, error, old) => {
  const { text } = failureText(operation, resource, error, old);
  const isUnfinished = error instanceof UnfinishedError;
  return new OperationError(text, isUnfinished ? detailsOf(text, error, resource.options) : undefined);
};

export function grpcStatus(error: unknown): Partial<ServerErrorResponse> {
  const code = grpc.status.UNKNOWN;
  if (!(error instanceof OperationError)) return { code, details: sanitize(messageOf(error), longestText) };
  const { message, metadata } = error;
  return { code, details: message, ...(metadata && { metadata }) };
}

/** gRPC sends details in a header, which the engine limits to 16 MiB, so they omit the inputs, which it knows. */
function detailsOf(message: string, { id, state }: UnfinishedError, options: ResourceOptions): Metadata {
  const failed = new providerMessages.ErrorResourceInitFailed()
    .setId(id)
    .setProperties(valuesMessage(writeState(state), options))
    .setReasonsList([message]);
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return metadata;
}
