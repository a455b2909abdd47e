/** The gRPC server of the provider protocol, with handlers that return promises. */
import type { handleUnaryCall } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { grpc, ResourceProviderService } from "../engine/sdk";
import { grpcStatus } from "./grpc-status";

type Handlers = {
  readonly [K in keyof IResourceProviderServer as string extends K ? never : K]?: Handler<
    IResourceProviderServer[K]
  >;
};
type Handler<Call> =
  Call extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request) => Response | Promise<Response>
    : never;

/** The engine's own limit, because the state of a deployment may be large; bytes. */
const largestMessage = 400 * 1024 * 1024;

/** Resolves to the port. A call without a handler gets the gRPC status `UNIMPLEMENTED`. */
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

/** An engine that does not respond to keepalives for this long has ended; milliseconds. */
const keepaliveInterval = 20_000;

/**
 * Detects that the engine has ended: a killed engine does not stop its plugins.
 *
 * @param lost called once, when nothing listens at the address anymore
 */
export function watchEngine(address: string, lost: () => void): void {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.keepalive_time_ms": keepaliveInterval,
    "grpc.keepalive_timeout_ms": keepaliveInterval,
    "grpc.keepalive_permit_without_calls": 0,
    // While the engine waits for its user, the connection may be idle for hours.
    "grpc.client_idle_timeout_ms": 2 ** 31 - 1,
  });
  const channel = client.getChannel();
  const { READY, TRANSIENT_FAILURE } = grpc.connectivityState;
  let wasReady = false;
  const check = () => {
    const state = channel.getConnectivityState(true);
    wasReady ||= state === READY;
    // If the address was never reachable, a failure does not mean that the engine has ended.
    if (state === TRANSIENT_FAILURE && wasReady) return lost();
    channel.watchConnectivityState(state, Infinity, check);
  };
  check();
}
