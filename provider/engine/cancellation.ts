/** Detects cancellation by the engine, which the stock dynamic provider process does not pass on. */
import { fstatSync } from "node:fs";
import type { Http2Server } from "node:http2";
import { newController } from "../time/limits";

const cancel = "/pulumirpc.ResourceProvider/Cancel";

let heard: AbortSignal | undefined;

/**
 * Aborted by the first Ctrl-C. The engine then still waits for operations in flight and records their results. After a second
 * Ctrl-C it records nothing, so waits must end at the first one.
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
 * At the first Ctrl-C, the engine calls Cancel, which the process handles itself. Listening to the server's streams is the only
 * way to notice it. If a later Node.js version does not expose the server, waits end only by themselves.
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
 * If the engine is killed, it does not stop its providers, and this process would keep polling. Its standard input is a pipe that
 * only the engine holds open, so the process exits when the pipe closes.
 */
function endWithEngine(): void {
  if (!fstatSync(0).isFIFO()) return;
  process.stdin.once("end", () => process.exit()).resume();
  process.stdin.unref();
}
