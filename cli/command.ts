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

export interface ParsedArguments {
  readonly positionals: readonly string[];
  /** The values of the given flags. */
  readonly flags: Readonly<Record<string, string>>;
  readonly switches: ReadonlySet<string>;
}

/** Resolves to the exit code; to nothing if all was done. */
export type Command = (args: ParsedArguments, io: Io) => Promise<number | void>;

/** What errors begin with. */
export const program = "deployment-service";

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
