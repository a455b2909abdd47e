/** How an operation learns that the engine wants it to end, which the stock provider process tells nobody. */
import { fstatSync } from "node:fs";
import type { Http2Server } from "node:http2";
import { newController } from "../limits";

const cancel = "/pulumirpc.ResourceProvider/Cancel";

let heard: AbortSignal | undefined;

/**
 * Aborted by the first Ctrl-C. From then on the engine waits for what is in flight, and it still writes down how that
 * ends; after a second Ctrl-C it writes nothing. So waiting has to end now, with all that is known.
 */
export function cancellationSignal(): AbortSignal {
  if (heard === undefined) {
    const controller = newController();
    heard = controller.signal;
    listenForCancel(() => controller.abort());
    endWithEngine();
  }
  return heard;
}

/**
 * The engine's first Ctrl-C is a call of Cancel, which the process answers by itself. Listening to the server's streams is the
 * one way to hear of it; where a later Node.js does not show the server, a wait goes on until it ends by itself.
 */
function listenForCancel(cancelled: () => void): void {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => object[] };
  for (const handle of handles?.call(process) ?? []) {
    if (handle.constructor.name !== "Http2Server") continue;
    (handle as Http2Server).on("stream", (_, headers) => {
      if (headers[":path"] === cancel) cancelled();
    });
  }
}

/**
 * An engine that was killed ends nothing, and the process would go on looking with nobody left to tell. Its standard input
 * is a pipe that only the engine holds, so the pipe's end is the engine's.
 */
function endWithEngine(): void {
  if (!fstatSync(0).isFIFO()) return;
  process.stdin.once("end", () => process.exit()).resume();
  process.stdin.unref();
}
