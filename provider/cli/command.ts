/** The shape of a command, and what it may touch. */

/** Everything outside of the process that a command reads or writes, so that a test can stand in for it. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** All of standard input. */
  readonly stdin: () => Promise<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal: then, unless NO_COLOR is set, colour is fine. */
  readonly isTerminal: boolean;
  /** How wide the terminal is; undefined where there is none, and so no limit. */
  readonly columns?: number | undefined;
  readonly cwd: string;
  readonly now: () => Date;
  /**
   * Asks the user, and resolves to what was typed: nothing where the question is left with Ctrl-C or Ctrl-D. Undefined where
   * nobody can be asked, since there is no terminal.
   */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** From now on Ctrl-C, or a reader who has gone away, ends what goes on and not the process. */
  readonly cancellation: () => AbortSignal;
}

export interface Flag {
  /** Without the dashes: `name-contains`. */
  readonly name: string;
  /** What stands for the value in the help; a flag without is a switch. */
  readonly value?: string;
  readonly doc: string;
  /** The only values that are accepted. */
  readonly choices?: readonly string[];
  /** Another spelling that means the same. */
  readonly alias?: string;
}

export interface ParsedArguments {
  readonly positionals: readonly string[];
  /** The values of the flags that were given. */
  readonly flags: Readonly<Record<string, string>>;
  /** How each of these was written, since some have two spellings: `--ids`. */
  readonly typedFlags: Readonly<Record<string, string>>;
  /** The switches that were given. */
  readonly switches: ReadonlySet<string>;
}

export interface Command {
  readonly name: string;
  /** One line, in the list of commands. */
  readonly summary: string;
  /** The positional arguments by name: `FILE`, `[FILE]` for one that can be left out, `[NAME…]` for any number. */
  readonly positionals: readonly string[];
  readonly flags: readonly Flag[];
  /** More sections of the help. */
  readonly notes?: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** What to type, and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  run(args: ParsedArguments, io: Io): Promise<number>;
}

export const exitCodes = {
  done: 0,
  /** Problems were found in a file. */
  problems: 1,
  /** The call itself is wrong. */
  usage: 2,
  /** The service failed, or does not have what was asked for. */
  failed: 3,
} as const;

/** The call itself is wrong: a flag, a file that is not there, a setting that is missing. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
