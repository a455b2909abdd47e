/** The gRPC server of the provider protocol, with handlers that return promises. */
import type { handleUnaryCall } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { grpc, ResourceProviderService } from "../engine/sdk";
import { grpcStatus } from "./status";

type Handlers = {
  readonly [
    K in keyof IResourceProviderServer as string extends K ? never : K
  ]?: IResourceProviderServer[K] extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request) => Response | Promise<Response>
    : never;
};

/** The same limit as in the engine, since the state of a deployment may be large; bytes. */
const largestMessage = 400 * 1024 * 1024;

/** Resolves to the port. Calls without a handler fail as not implemented. */
export async function serve(handlers: Handlers): Promise<number> {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": largestMessage,
    "grpc.max_send_message_length": largestMessage,
  });
  const calls = Object.entries(handlers).map(([name, handler]) => [name, unary(handler as never)]);
  server.addService(ResourceProviderService, Object.fromEntries(calls) as IResourceProviderServer);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

function unary<Request, Response>(
  handler: (request: Request) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
  return ({ request }, reply) => {
    // Turns an exception of a synchronous handler into a rejection.
    void new Promise<Response>((resolve) => resolve(handler(request))).then(
      (response) => reply(null, response),
      (error: unknown) => reply(grpcStatus(error)),
    );
  };
}
