/** The end of the engine is the plugin's: one that was killed tells nobody, and nobody would be told what comes. */
import { grpc } from "../engine/sdk";

/** In milliseconds: an engine that answers nothing, not even the system, for so long is not there. */
const keepaliveInterval = 20_000;

/** @param lost called once, when nothing listens at the engine's address any more */
export function watchEngine(address: string, lost: () => void): void {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.keepalive_time_ms": keepaliveInterval,
    "grpc.keepalive_timeout_ms": keepaliveInterval,
    "grpc.keepalive_permit_without_calls": 0,
    // An engine that waits for its user says nothing for hours.
    "grpc.client_idle_timeout_ms": 2 ** 31 - 1,
  });
  const channel = client.getChannel();
  const { READY, TRANSIENT_FAILURE } = grpc.connectivityState;
  let wasReady = false;
  const check = () => {
    const state = channel.getConnectivityState(true);
    wasReady ||= state === READY;
    // Before it was reached, a failure says that the address is another's than ours to judge.
    if (state === TRANSIENT_FAILURE && wasReady) return lost();
    channel.watchConnectivityState(state, Infinity, check);
  };
  check();
}
