import { run } from "../../../cli/run-command";
import { newController } from "../../../provider/time/limits";
import type { Command } from "../../../cli/command";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Setting {
  readonly stdin?: string | Uint8Array;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly columns?: number;
  readonly commands?: Readonly<Record<string, Command>>;
  readonly onOutput?: (text: string) => void;
  /** What the user types when asked; without it nobody can be asked. */
  readonly ask?: (question: string) => Promise<string>;
  /** When the user has had enough; never, where nothing is said. */
  readonly cancellation?: () => AbortSignal;
}

/** Runs a command line in this process. */
export async function cli(words: readonly string[], setting: Setting = {}): Promise<Outcome> {
  let [stdout, stderr] = ["", ""];
  const { stdin = "", env = {}, cwd = process.cwd(), columns, commands } = setting;
  const { cancellation = () => newController().signal, onOutput = () => {} } = setting;
  const io = {
    stdout: { write: (text: string) => onOutput((stdout += text) && text) },
    stderr: { write: (text: string) => (stderr += text) },
    stdin: () => Promise.resolve(typeof stdin === "string" ? Buffer.from(stdin) : stdin),
    env,
    cwd,
    now: () => new Date("2026-03-01T12:00:00Z"),
    columns,
    cancellation,
    ask: setting.ask,
  };
  const code = await run(words, io, commands);
  return { code, stdout, stderr };
}
