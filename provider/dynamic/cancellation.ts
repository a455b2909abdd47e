/** Detects cancellation by the engine, which the stock dynamic provider process does not pass on. */
import { fstatSync } from "node:fs";
import type { Http2Server } from "node:http2";
import { engineAddress, logFor } from "../engine/log";
import { newController } from "../time/limits";

const cancel = "/pulumirpc.ResourceProvider/Cancel";

let heard: AbortSignal | undefined;

/** Aborted by the first Ctrl-C: after a second one, the engine records nothing, so waits must end at the first. */
export function cancellationSignal(): AbortSignal {
  if (heard === undefined) {
    const controller = newController();
    heard = controller.signal;
    const isHeard = listenForCancel(() => controller.abort());
    if (!isHeard && engineAddress(process.argv) !== undefined)
      logFor(undefined, (text) => text).warning(
        "this version of Pulumi hides Ctrl-C from the provider: a wait that you interrupt continues until its time limit",
      );
    endWithEngine();
  }
  return heard;
}

/** The process handles the engine's Cancel itself, so only its server's streams show it. Returns whether it has found that server. */
function listenForCancel(cancelled: () => void): boolean {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => object[] };
  const servers = (handles?.call(process) ?? []).filter(
    ({ constructor: { name } }) => name === "Http2Server",
  );
  for (const server of servers as Http2Server[]) {
    server.on("stream", (_, headers) => {
      if (headers[":path"] === cancel) cancelled();
    });
  }
  return servers.length > 0;
}

/** Only the engine holds the pipe of the standard input open. A killed engine stops no providers, so its end ends this process. */
function endWithEngine(): void {
  if (!fstatSync(0).isFIFO()) return;
  process.stdin.once("end", () => process.exit()).resume();
  process.stdin.unref();
}
