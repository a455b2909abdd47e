import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, type AddressInfo, type Server } from "node:net";
import { delimiter, join } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** What loads the provider, and what may run the program: without a place to ask for it, the CLI starts a process for each. */
const withProvider = ["preview", "up", "refresh", "destroy", "import"];
const withProgram = ["preview", "up"];

/** The provider alone is for what a program prints by itself, or how it ends: run by another process, that is told otherwise. */
export type Keeps = "everything" | "provider" | "nothing";

type Variables = Readonly<Record<string, string>>;

/** How a run of the CLI finds the processes. */
export interface Kept {
  readonly args: readonly string[];
  readonly env: Variables;
}

/** The processes that keep the SDK loaded between the runs of a stack, and go on to the next stack of these tests. */
export class KeptProcesses {
  #program: KeptProcess | undefined;
  #providers: Providers | undefined;

  constructor(
    private readonly keeps: Keeps,
    private readonly folder: string,
    private readonly env: Variables,
  ) {}

  /** For a command of the CLI, with more variables for this run. */
  async forRun(command: readonly string[], more: Variables): Promise<Kept> {
    const [name = ""] = command;
    const runsProgram = withProgram.includes(name) || command.includes("--run-program");
    const [args, env] = await Promise.all([
      runsProgram && this.keeps === "everything" ? this.#argumentsFor(more) : [],
      withProvider.includes(name) && this.keeps !== "nothing" ? this.#variables(more) : {},
    ]);
    return { args, env };
  }

  /**
   * Variables of a shell whose commands are found before those on the PATH, as `bin/pulumi` is: it does for each run of the CLI what
   * `forRun` does.
   */
  async forShell(): Promise<Variables> {
    const program = this.#programProcess();
    return {
      ...(await this.#variables({})),
      KEPT_PROGRAM: String(await program.port()),
      KEPT_VARIABLES: program.variables,
    };
  }

  /** @param isUsable whether every run of the stack came to its end, so that nothing of it still goes on */
  async end(isUsable: boolean): Promise<void> {
    const [program, providers] = [this.#program, this.#providers];
    this.#program = this.#providers = undefined;
    const taken = [...(program ? [program] : []), ...((await providers?.end()) ?? [])];
    if (isUsable) for (const each of taken) each.release();
    else await Promise.all(taken.map((each) => each.end()));
  }

  async #argumentsFor(more: Variables): Promise<string[]> {
    const program = this.#programProcess();
    const port = await program.port();
    const variables = Object.entries({ ...this.env, ...more });
    writeFileSync(program.variables, variables.map((each) => each.join("=")).join("\0"));
    return [`--client=127.0.0.1:${port}`];
  }

  #programProcess(): KeptProcess {
    return (this.#program ??= KeptProcess.take("program.mjs", this.env, sdkOf(this.folder)));
  }

  async #variables(more: Variables) {
    this.#providers ??= new Providers();
    const env = { ...this.env, ...more };
    return {
      PATH: [join(__dirname, "bin"), env["PATH"] ?? ""].join(delimiter),
      KEPT_NODE: process.execPath,
      KEPT_PORT: String(await this.#providers.portFor(env)),
      KEPT_DYNAMIC: require.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
      KEPT_PACKAGED: join(__dirname, "../../../plugin/index.js"),
    };
  }
}

/** The provider processes of a stack: the engine starts one for each provider of a program, and all run at once. */
class Providers {
  readonly #taken: KeptProcess[] = [];
  #desk: Promise<Server> | undefined;
  #env: Variables = {};

  /** Where a run with these variables asks for a process that is free. */
  async portFor(env: Variables): Promise<number> {
    this.#env = env;
    return ((await (this.#desk ??= this.#open())).address() as AddressInfo).port;
  }

  /** All that were taken. */
  async end(): Promise<KeptProcess[]> {
    (await this.#desk)?.close();
    return this.#taken;
  }

  async #open(): Promise<Server> {
    const desk = createServer((connection) => {
      connection.on("error", () => connection.destroy());
      void this.#next()
        .port()
        .then((port) => connection.end(`${port}\n`));
    });
    await once(desk.listen(0, "127.0.0.1"), "listening");
    return desk.unref();
  }

  /** A process that serves no run; it is asked to serve one right after. */
  #next(): KeptProcess {
    const isUsable = (each: KeptProcess) => !each.isServing && each.fits(this.#env);
    const next = this.#taken.find(isUsable) ?? KeptProcess.take("provider.mjs", this.#env);
    if (!this.#taken.includes(next)) this.#taken.push(next);
    next.isServing = true;
    return next;
  }
}

type Script = "program.mjs" | "provider.mjs";

const sdkOf = (folder: string) => createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi");
const ownSdk = sdkOf(__dirname);

/** Ends with the process that started it. */
class KeptProcess {
  /** Those that no stack uses. */
  static readonly #free: KeptProcess[] = [];

  /** Whether a run has it, or will in a moment. */
  isServing = false;
  #variables: string | undefined;
  #process: ChildProcess | undefined;
  #port: Promise<number> | undefined;
  /** What Node.js reads when it starts, and only then. */
  readonly #startsWith: Variables;

  private constructor(
    private readonly script: Script,
    env: Variables,
    /** The SDK that it has loaded. */
    private readonly sdk: string,
  ) {
    this.#startsWith = readAtStart(env);
  }

  static take(script: Script, env: Variables, sdk = ownSdk): KeptProcess {
    const isUsable = (each: KeptProcess) =>
      each.script === script && each.sdk === sdk && !each.isServing && each.fits(env);
    const at = this.#free.findIndex(isUsable);
    return at < 0 ? new KeptProcess(script, env, sdk) : this.#free.splice(at, 1)[0]!;
  }

  /** Whether it may serve a run with these variables. */
  fits(env: Variables): boolean {
    return isDeepStrictEqual(this.#startsWith, readAtStart(env));
  }

  release(): void {
    if (this.#process?.exitCode === null) KeptProcess.#free.push(this);
  }

  /** The file that a program reads its variables from. It removes the folder at its end. */
  get variables(): string {
    return (this.#variables ??= join(mkdtempSync(join(tmpdir(), "kept-")), "variables"));
  }

  port(): Promise<number> {
    return (this.#port ??= this.#start());
  }

  async end(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  }

  /** A provider process gets what it loads with each run. */
  #arguments(): string[] {
    return this.script === "program.mjs" ? [this.sdk, this.variables] : [];
  }

  async #start(): Promise<number> {
    this.#process = fork(join(__dirname, this.script), this.#arguments(), {
      env: { PATH: process.env["PATH"], ...this.#startsWith },
      execArgv: [],
      // Like an engine's, its standard input stays open as long as it is needed.
      stdio: ["pipe", "ignore", "inherit", "ipc"],
    });
    // The tests are over when no stack uses it.
    const [{ port }] = (await once(this.#process, "message")) as [{ port: number }];
    this.#process.on("message", (message) => {
      if (message === "free") this.isServing = false;
    });
    this.#process.unref();
    this.#process.channel?.unref();
    return port;
  }
}

function readAtStart(env: Variables): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(NODE|SSL)_/.test(name)));
}
