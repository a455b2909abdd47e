/** Logs messages to the engine, which shows them next to the resource, or to standard output if there is no engine. */
import { closeSync, openSync } from "node:fs";
import type { Log } from "../deployment/context";
import { subjectOf, type Resource } from "../stored/internal-inputs";
import type { Redact } from "../text/redact";
import { longestText, sanitize } from "../text/sanitize";
import { engineMessages, EngineClient, grpc } from "./sdk";

type Send = (severity: "INFO" | "WARNING", message: string, urn?: string, isEphemeral?: boolean) => void;

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

function sendTo(address: string): Send {
  const client = new EngineClient(address, grpc.credentials.createInsecure());
  return (severity, message, urn = "", isEphemeral = false) => {
    const request = new engineMessages.LogRequest()
      .setSeverity(engineMessages.LogSeverity[severity])
      .setMessage(message)
      .setUrn(urn)
      .setEphemeral(isEphemeral);
    const deadline = Date.now() + longestDelivery;
    const deliver = () =>
      new Promise<void>((resolve) => {
        client.log(request, new grpc.Metadata(), { deadline }, (error) => {
          if (error) printMessage(severity, message, urn, isEphemeral);
          resolve();
        });
      });
    delivered = delivered.then(deliver);
  };
}

const printMessage: Send = (severity, message, _urn, isEphemeral) => {
  if (!isEphemeral) process.stdout.write(`${severity.toLowerCase()}: ${message}\n`);
};

let sendMessage: Send | undefined;

/**
 * The log of one resource, which the messages begin with; those about its progress stand next to it. A message that cannot be
 * delivered never causes a failure.
 *
 * @param redact removes the resource's secrets from a message
 */
export function logFor(resource: Resource | undefined, redact: Redact): Log {
  const address = engineAddress(process.argv);
  sendMessage ??= address === undefined ? printMessage : sendTo(address);
  isWatched ??= hasTerminal();
  const log = sendMessage;
  const urn = resource?.options.urn;
  const shown = (message: string) => sanitize(redact(message), longestText);
  const about = (message: string) => shown(resource ? `${subjectOf(resource)}: ${message}` : message);
  return {
    info: (message) => log("INFO", about(message), urn),
    warning: (message) => log("WARNING", about(message), urn),
    progress: (message) => log("INFO", shown(message), urn, true),
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
