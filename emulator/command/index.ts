import { startEmulator, type Emulator, type EmulatorOptions } from "../emulator";
import type { LoggedRequest } from "../http/request-log";
import type { Seed } from "../seed";
import { StateFileError } from "../state/file";
import { CommandError, optionsOf, type Given } from "./options";
import { greeting, loginFor, requestLine, variablesFor } from "./command-texts";

/** The emulator as a command: from flags to a running server that prints its requests. */

export { Refusal } from "../refusal";
export { CommandError } from "./options";

export interface Run extends Given {
  readonly seed: Seed | undefined;
  readonly print: (text: string) => void;
  /** Resolves when the user stops it. */
  readonly ended: Promise<void>;
}

/** Throws a CommandError for a mistake in the flags, and a Refusal for an invalid seed. */
export async function runEmulator({ seed, print, ended, ...given }: Run): Promise<void> {
  const options = optionsOf(given);
  const json = given.switches.has("json");
  const onRequest = (request: LoggedRequest) => print(json ? jsonLine(request) : requestLine(request));
  const emulator = await start({ ...options, seed, onRequest });
  const variables = variablesFor(emulator, options);
  const login = loginFor(emulator, options);
  print(json ? `${JSON.stringify({ variables, login })}\n` : greeting(emulator, options));
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
    const { code = "" } = error as NodeJS.ErrnoException;
    const reason = reasons[code]?.(options);
    throw reason === undefined ? error : new CommandError(reason);
  }
}

const noAddress = ({ host = "" }: EmulatorOptions) => `--host ${host} is not an address of this machine`;

/** Why it cannot listen, by the system's error code. */
const reasons: Readonly<Record<string, (options: EmulatorOptions) => string>> = {
  EADDRINUSE: ({ port = 0 }) =>
    `port ${port} is in use: choose another one with --port, or 0 for any free one`,
  EACCES: ({ port = 0 }) => `this user cannot open port ${port}: choose one above 1023 with --port`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
};
