/** Defines a command, its arguments and its access to the outside world. */
export { UsageError } from "./usage-error";

/** Everything outside the process that a command reads or writes; tests replace it. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Reads standard input to its end. */
  readonly stdin: () => Promise<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The width of the terminal; undefined (no limit) if there is none. */
  readonly columns?: number | undefined;
  readonly cwd: string;
  readonly now: () => Date;
  /**
   * Asks the user and resolves to the answer, which is empty after Ctrl-C or Ctrl-D. Undefined without a terminal.
   */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** From this call on, Ctrl-C or a closed output pipe aborts the signal instead of ending the process. */
  readonly cancellation: () => AbortSignal;
}

export interface Flag {
  /** The name without dashes: `name-contains`. */
  readonly name: string;
  /** The placeholder for the value in the help. A flag without one is a switch. */
  readonly value?: string;
  readonly doc: string;
  /** The only values that are accepted. */
  readonly choices?: readonly string[];
  /** Another name for the flag. */
  readonly alias?: string;
}

export interface ParsedArguments {
  readonly positionals: readonly string[];
  /** The values of the given flags. */
  readonly flags: Readonly<Record<string, string>>;
  readonly switches: ReadonlySet<string>;
}

export interface Command {
  readonly name: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** The names of the positional arguments: `FILE`, `[FILE]` if it is optional, `[NAME…]` for any number. */
  readonly positionals: readonly string[];
  readonly flags: readonly Flag[];
  /** More sections of the help. */
  readonly notes?: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** What each of these command lines does. */
  readonly examples: Readonly<Record<string, string>>;
  run(args: ParsedArguments, io: Io): Promise<number>;
}

export const exitCodes = {
  done: 0,
  /** A file has problems. */
  problems: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The service failed, or a named deployment or revision does not exist. */
  failed: 3,
} as const;

/** A file is not what the command expects. */
export class FileError extends Error {}
