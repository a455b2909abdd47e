/** Messages beside the resource on the engine's screen; on standard output where there is no engine. */
import { createRequire } from "node:module";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as engineMessages from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../deployment/service";
import type { Redact } from "../text/redact";

type Severity = "info" | "warning";

interface Engine {
  log(severity: Severity, message: string, urn: string | undefined, ephemeral: boolean): void;
}

/** In milliseconds: an engine that does not take messages is not waited for. */
const longestDelivery = 5_000;
const undelivered = new Set<Promise<void>>();

/** Resolves once the engine has every message. Awaited before a response: the process may be ended right after it. */
export async function flushLogs(): Promise<void> {
  await Promise.all(undelivered);
}

/** The engine passes its address as the last argument; flags of tracing may stand before it. */
export function engineAddress(argv: readonly string[]): string | undefined {
  return argv.slice(2).findLast((argument) => /^[\w.[\]-]+:\d+$/.test(argument));
}

function connectEngine(): Engine | undefined {
  const address = engineAddress(process.argv);
  if (address === undefined) return undefined;
  try {
    // The SDK's own gRPC library: two copies in one process would not understand each other's objects.
    const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
    const grpc = fromSdk("@grpc/grpc-js") as {
      credentials: { createInsecure(): never };
      Metadata: new () => never;
    };
    const { EngineClient } = fromSdk("./proto/engine_grpc_pb") as {
      EngineClient: new (...args: unknown[]) => EngineClient;
    };
    const messages = fromSdk("./proto/engine_pb") as typeof engineMessages;
    const client = new EngineClient(address, grpc.credentials.createInsecure());
    const severities = { info: messages.LogSeverity.INFO, warning: messages.LogSeverity.WARNING };
    return {
      log(severity, message, urn, ephemeral) {
        const request = new messages.LogRequest();
        request.setSeverity(severities[severity]);
        request.setMessage(message);
        if (urn !== undefined) request.setUrn(urn);
        request.setEphemeral(ephemeral);
        const sent = new Promise<void>((resolve) => {
          client.log(request, new grpc.Metadata(), { deadline: Date.now() + longestDelivery }, (error) => {
            if (error) toOutput(severity, message, urn, ephemeral);
            resolve();
          });
        });
        undelivered.add(sent);
        void sent.then(() => undelivered.delete(sent));
      },
    };
  } catch {
    return undefined;
  }
}

const output: Engine = { log: toOutput };

function toOutput(severity: Severity, message: string, _urn: string | undefined, ephemeral: boolean): void {
  if (!ephemeral) process.stdout.write(`${severity}: ${message}\n`);
}

let engine: Engine | undefined;

/**
 * The log of one resource. A message that cannot be delivered is never the reason for a failure.
 *
 * @param shown takes the resource's secrets out of a message
 */
export function logFor(urn: string | undefined, shown: Redact): Log {
  engine ??= connectEngine() ?? output;
  const { log } = engine;
  return {
    info: (message) => log("info", shown(message), urn, false),
    warning: (message) => log("warning", shown(message), urn, false),
    progress: (message) => log("info", shown(message), urn, true),
  };
}
