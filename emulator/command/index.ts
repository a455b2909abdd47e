import { startEmulator, type Emulator, type EmulatorOptions } from "../emulator";
import type { LoggedRequest } from "../http/request-log";
import type { Seed } from "../seed";
import { StateFileError } from "../state/file";
import { CommandError } from "./error";
import { readFaults } from "./fail";
import { optionsOf, type Given } from "./options";
import { greeting, requestLine, variablesFor } from "./texts";

/** The emulator as a command: from flags to a running server that tells what it is asked. */

export { CommandError } from "./error";
export { flags } from "./flags";
export { Refusal } from "../refusal";
export type { Seed } from "../seed";
export { notes } from "./texts";

export interface Run extends Given {
  readonly seed: Seed | undefined;
  readonly print: (text: string) => void;
  /** Resolves when somebody wants it to end. */
  readonly ended: Promise<void>;
}

/** Ends when it is told to. Throws a CommandError for a mistake, and a Refusal for a wrong seed. */
export async function runEmulator({ seed, print, ended, ...given }: Run): Promise<void> {
  const options = optionsOf(given);
  const faults = given.flags["fail"] === undefined ? [] : readFaults(given.flags["fail"]);
  const json = given.switches.has("json");
  const onRequest = (request: LoggedRequest) => print(json ? jsonLine(request) : requestLine(request));
  const emulator = await start({ ...options, seed, onRequest });
  for (const fault of faults) emulator.fail(fault);
  print(
    json
      ? `${JSON.stringify({ variables: variablesFor(emulator, options) })}\n`
      : greeting(emulator, options),
  );
  await ended;
  await emulator.close();
}

function jsonLine({ method, path, query, status, ms }: LoggedRequest): string {
  return `${JSON.stringify({ method, path, query, status, ms })}\n`;
}

async function start(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    if (error instanceof StateFileError) throw new CommandError(error.message);
    const { code = "", port } = error as NodeJS.ErrnoException & { port?: number };
    const listens = reasons[code];
    if (listens !== undefined) throw new CommandError(listens(port ?? 0, options.host ?? ""));
    throw error;
  }
}

/** Why it cannot listen, by the system's code. */
const reasons: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port) => `port ${port} is in use: choose another one with --port, or 0 for any free one`,
  EACCES: (port) => `port ${port} may not be opened by this user: choose one above 1023 with --port`,
  EADDRNOTAVAIL: (_, host) => `--host ${host} is no address of this machine`,
  ENOTFOUND: (_, host) => `--host ${host} is no address of this machine`,
};
