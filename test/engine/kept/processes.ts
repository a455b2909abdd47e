import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { isDeepStrictEqual } from "node:util";

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

/** The processes that keep the SDK loaded between the runs of a stack, and go on to the next stack of these tests. */
export class KeptProcesses {
  readonly #taken = new Map<Script, KeptProcess>();

  constructor(
    private readonly keeps: Keeps,
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

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

  /** @param isUsable whether every run of the stack came to its end, so that nothing of it still goes on */
  async end(isUsable: boolean): Promise<void> {
    const taken = [...this.#taken.values()];
    this.#taken.clear();
    if (isUsable) for (const each of taken) each.release();
    else await Promise.all(taken.map((each) => each.end()));
  }

  async #argumentsFor(more: Readonly<Record<string, string>>): Promise<string[]> {
    const program = this.#take("program.mjs");
    const port = await program.port();
    await program.ask({ folder: this.folder, env: { ...this.env, ...more } });
    return [`--client=127.0.0.1:${port}`];
  }

  async #variables({ PATH = this.env["PATH"] ?? "" }: Readonly<Record<string, string>>) {
    return {
      PATH: [join(__dirname, "bin"), PATH].join(delimiter),
      KEPT_NODE: process.execPath,
      KEPT_PROVIDER_PORT: String(await this.#take("provider.mjs").port()),
      KEPT_PROVIDER_SCRIPT: require.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
    };
  }

  #take(script: Script): KeptProcess {
    const taken = this.#taken.get(script) ?? KeptProcess.take(script, this.env);
    this.#taken.set(script, taken);
    return taken;
  }
}

type Script = "program.mjs" | "provider.mjs";

/** Ends with the process that started it. */
class KeptProcess {
  /** Those that no stack uses. */
  static readonly #free: KeptProcess[] = [];

  #process: ChildProcess | undefined;
  #port: Promise<number> | undefined;

  private constructor(
    private readonly script: Script,
    /** What Node.js reads when it starts, and only then. */
    private readonly startsWith: Readonly<Record<string, string>>,
  ) {}

  static take(script: Script, env: Readonly<Record<string, string>>): KeptProcess {
    const startsWith = Object.fromEntries(Object.entries(env).filter(([name]) => /^(NODE|SSL)_/.test(name)));
    const at = this.#free.findIndex(
      (each) => each.script === script && isDeepStrictEqual(each.startsWith, startsWith),
    );
    return at < 0 ? new KeptProcess(script, startsWith) : this.#free.splice(at, 1)[0]!;
  }

  release(): void {
    if (this.#process?.exitCode === null) KeptProcess.#free.push(this);
  }

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
      env: { PATH: process.env["PATH"], ...this.startsWith },
      execArgv: [],
      // Like an engine's, its standard input stays open as long as it is needed.
      stdio: ["pipe", "ignore", "inherit", "ipc"],
    });
    // The tests are over when no stack uses it.
    const [{ port }] = (await once(this.#process, "message")) as [{ port: number }];
    this.#process.unref();
    this.#process.channel?.unref();
    return port;
  }
}
