/** Detects that the engine has ended, so that the plugin exits too: a killed engine does not stop its plugins. */
import { grpc } from "../engine/sdk";

/** An engine that does not respond to keepalives for this long has ended; milliseconds. */
const keepaliveInterval = 20_000;

/** @param lost called once, when nothing listens at the engine's address anymore */
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
