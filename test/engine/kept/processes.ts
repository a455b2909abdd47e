import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";

/** What loads the provider, and what may run the program: without a place to ask for it, the CLI starts a process for each. */
const withProvider = ["preview", "up", "refresh", "destroy", "import"];
const withProgram = ["preview", "up"];

/** The provider alone is for what a program prints by itself, or how it ends: run by another process, that is told otherwise. */
export type Keeps = "everything" | "provider" | "nothing";

/** How a run of the CLI finds the processes. */
export interface Kept {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The processes that keep the SDK loaded between the runs of a stack. Each starts with the first run that needs it. */
export class KeptProcesses {
  readonly #program: KeptProcess;
  readonly #provider: KeptProcess;

  constructor(
    private readonly keeps: Keeps,
    folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.#program = new KeptProcess("program.mjs", folder, env);
    this.#provider = new KeptProcess("provider.mjs", folder, env);
  }

  /** For a command of the CLI, with more variables for this run. */
  async forRun(command: readonly string[], more: Readonly<Record<string, string>>): Promise<Kept> {
    const [name = ""] = command;
    const runsProgram = withProgram.includes(name) || command.includes("--run-program");
    const [args, env] = await Promise.all([
      runsProgram && this.keeps === "everything" ? this.#argumentsFor(more) : [],
      withProvider.includes(name) && this.keeps !== "nothing" ? this.#variables(more) : {},
    ]);
    return { args, env };
  }

  async end(): Promise<void> {
    await Promise.all([this.#program.end(), this.#provider.end()]);
  }

  async #argumentsFor(more: Readonly<Record<string, string>>): Promise<string[]> {
    const port = await this.#program.port();
    await this.#program.ask({ env: { ...this.env, ...more } });
    return [`--client=127.0.0.1:${port}`];
  }

  async #variables({ PATH = this.env["PATH"] ?? "" }: Readonly<Record<string, string>>) {
    return {
      PATH: [join(__dirname, "bin"), PATH].join(delimiter),
      KEPT_NODE: process.execPath,
      KEPT_PROVIDER_PORT: String(await this.#provider.port()),
      KEPT_PROVIDER_SCRIPT: require.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
    };
  }
}

class KeptProcess {
  #process: ChildProcess | undefined;
  #port: Promise<number> | undefined;

  constructor(
    private readonly script: string,
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  port(): Promise<number> {
    return (this.#port ??= this.#start());
  }

  /** Resolves when it has answered. */
  async ask(message: object): Promise<void> {
    this.#process!.send(message);
    await once(this.#process!, "message");
  }

  async end(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  }

  async #start(): Promise<number> {
    this.#process = fork(join(__dirname, this.script), {
      cwd: this.folder,
      env: this.env,
      execArgv: [],
      // Like an engine's, its standard input stays open as long as it is needed.
      stdio: ["pipe", "ignore", "inherit", "ipc"],
    });
    const [{ port }] = (await once(this.#process, "message")) as [{ port: number }];
    return port;
  }
}
