/** Logs messages to the engine, which shows them next to the resource, or to standard output if there is no engine. */
import { closeSync, openSync } from "node:fs";
import type { Log } from "../deployment/context";
import { subjectOf, type Resource } from "../stored/internal-inputs";
import type { Redact } from "../text/redact";
import { longestText, sanitize } from "../text/sanitize";
import { engineMessages, EngineClient, grpc } from "./sdk";

/** Time limit for sending one message; milliseconds. */
const longestDelivery = 5_000;
/** Messages are sent one after the other, so that they are shown in order. */
let delivered = Promise.resolve();

/** Resolves once the engine has every message. Await it before a response, because the engine may stop the process right after. */
export function flushLogs(): Promise<void> {
  return delivered;
}

/** The engine passes its address as the last argument. Tracing flags may precede it. */
export function engineAddress(argv: readonly string[]): string | undefined {
  return argv.slice(2).findLast((argument) => /^[\w.[\]-]+:\d+$/.test(argument));
}

let client: InstanceType<typeof EngineClient> | undefined;

function send(severity: "INFO" | "WARNING", message: string, urn = "", isEphemeral = false): void {
  const address = engineAddress(process.argv);
  if (address === undefined) {
    if (!isEphemeral) process.stdout.write(`${severity.toLowerCase()}: ${message}\n`);
    return;
  }
  client ??= new EngineClient(address, grpc.credentials.createInsecure());
  const engine = client;
  const request = new engineMessages.LogRequest()
    .setSeverity(engineMessages.LogSeverity[severity])
    .setMessage(message)
    .setUrn(urn)
    .setEphemeral(isEphemeral);
  const deliver = () =>
    new Promise<void>((resolve) => {
      const deadline = Date.now() + longestDelivery;
      engine.log(request, new grpc.Metadata(), { deadline }, () => resolve());
    });
  delivered = delivered.then(deliver);
}

/**
 * The log of one resource, which the messages begin with; those about its progress stand next to it. A message that cannot be
 * delivered never causes a failure.
 *
 * @param redact removes the resource's secrets from a message
 */
export function logFor(resource: Resource | undefined, redact: Redact): Log {
  isWatched ??= hasTerminal();
  const urn = resource?.options.urn;
  const shown = (message: string) => sanitize(redact(message), longestText);
  const about = (message: string) => shown(resource ? `${subjectOf(resource)}: ${message}` : message);
  return {
    info: (message) => send("INFO", about(message), urn),
    warning: (message) => send("WARNING", about(message), urn),
    progress: (message) => send("INFO", shown(message), urn, true),
    isWatched,
  };
}

let isWatched: boolean | undefined;

/** The engine shares its terminal with this process, if it has one, and shows a table there unless `CI` is set. */
function hasTerminal(): boolean {
  if (process.env["CI"]) return false;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
