import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** What may run a program: without a place to ask for it, the CLI starts a process of its own for the program. */
const commands = ["preview", "up"];

/** A process that keeps the SDK loaded between the runs of a stack. It starts with the first of them. */
export class ProgramServer {
  #process: ChildProcess | undefined;
  #port: number | undefined;

  constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  /** The arguments that let a command of the CLI run the program there, with more variables for this run. */
  async argumentsFor(args: readonly string[], more: Record<string, string>): Promise<string[]> {
    const isRun = commands.includes(args[0] ?? "") || args.includes("--run-program");
    if (!isRun) return [];
    if (this.#process === undefined) await this.#start();
    this.#process!.send({ env: { ...this.env, ...more } });
    await once(this.#process!, "message");
    return [`--client=127.0.0.1:${this.#port}`];
  }

  async end(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  }

  async #start(): Promise<void> {
    this.#process = fork(join(__dirname, "serve-program.mjs"), {
      cwd: this.folder,
      env: this.env,
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const [{ port }] = (await once(this.#process, "message")) as [{ port: number }];
    this.#port = port;
  }
}
