import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Command, type Result } from "./command";
import type { ConfigValue } from "./empty-stack";
import type { PreviewJson } from "./preview-json";
import { projectName, writeFiles } from "./program";
import { Terminal } from "./terminal";
import type { KeptProcesses } from "./kept/processes";
import { parseState, resourceNamed, type State, type StateResource } from "./state";

export interface RunOptions {
  /** More arguments for the CLI. */
  args?: string[];
  /** More variables, for this run only. */
  env?: Record<string, string>;
  /** The run must fail: a success throws instead. */
  expectFailure?: boolean;
  /** After this time the CLI is killed and what it printed is thrown. */
  timeoutMs?: number;
}

export interface ChangeOptions extends RunOptions {
  /** Show every property that differs. */
  diff?: boolean;
}

export interface PreviewOptions extends ChangeOptions {
  json?: boolean;
}

export interface PreviewResult extends Result {
  json?: PreviewJson;
}

export interface StackPlace {
  /** The folder of the program. */
  program: string;
  /** Everything else of this stack: state, the CLI's home. */
  scratch: string;
  name: string;
  cli: string;
  env: Record<string, string>;
  kept: KeptProcesses;
}

/** One stack of one program, driven with the real CLI. Made by `createStack`. */
export class Stack {
  private readonly commands = new Set<Command>();
  private readonly terminals = new Set<Terminal>();
  /** Whether a signal ended a run, parts of which may still be running. */
  private wasCut = false;

  constructor(private readonly place: StackPlace) {}

  /** The variables of every run. */
  get environment(): Readonly<Record<string, string>> {
    return this.place.env;
  }

  /** The variables of a shell, with the CLI and the kept processes on the PATH. */
  async shell(): Promise<Readonly<Record<string, string>>> {
    const { env, cli, kept } = this.place;
    return { ...env, ...(await kept.forShell()), KEPT_PULUMI: cli };
  }

  /** The program's folder, for `cwd` or for looking at what a run left there. */
  get folder(): string {
    return this.place.program;
  }

  async preview(options: PreviewOptions = {}): Promise<PreviewResult> {
    const result = await this.run(
      ["preview", ...flag("--json", options.json), ...changeFlags(options)],
      options,
    );
    return options.json ? { ...result, json: parsePreview(result.stdout) } : result;
  }

  up(options: ChangeOptions = {}): Promise<Result> {
    return this.run(["up", ...unattended, ...changeFlags(options)], options);
  }

  refresh(options: ChangeOptions = {}): Promise<Result> {
    return this.run(["refresh", ...unattended, ...changeFlags(options)], options);
  }

  destroy(options: ChangeOptions = {}): Promise<Result> {
    return this.run(["destroy", ...unattended, ...changeFlags(options)], options);
  }

  /** Frees the lock that a killed run left. */
  cancel(): Promise<Result> {
    return this.run(["cancel", "--yes"]);
  }

  /** Imports the resources of an import file. Protection is left to the file or `args`. */
  import(file: string, options: RunOptions = {}): Promise<Result> {
    const args = ["import", "--file", file, "--generate-code=false", ...unattended, ...(options.args ?? [])];
    return this.run(args, options);
  }

  /** Any command of the CLI. Throws with all that it printed if it ends differently than expected. */
  async run(args: string[], options: Omit<RunOptions, "args"> = {}): Promise<Result> {
    const { expectFailure = false, timeoutMs = 180_000 } = options;
    const command = await this.start(args, options.env);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void command.kill();
    }, timeoutMs);
    const result = await command.result.finally(() => clearTimeout(timer));
    if (!late && (result.exitCode !== 0) === expectFailure) return result;
    const failed = expectFailure ? "succeeded" : `failed (exit ${result.exitCode})`;
    const reason = late ? `did not end in ${timeoutMs} ms` : failed;
    throw new Error(`pulumi ${args.join(" ")} ${reason}:\n${result.output}`);
  }

  /** Starts the CLI with the processes that are kept between runs. May fail. */
  async start(args: string[], env: Record<string, string> = {}): Promise<Command> {
    const kept = await this.place.kept.forRun(args, env);
    return this.spawn([...args, ...kept.args], { ...env, ...kept.env });
  }

  /** Starts the CLI and all its processes anew, to watch, interrupt or kill it. */
  spawn(args: string[], env: Record<string, string> = {}): Command {
    const command = new Command(this.place.cli, ["--non-interactive", ...args], {
      cwd: this.place.program,
      env: { ...this.place.env, ...env },
    });
    this.commands.add(command);
    void command.result
      .then(({ exitCode }) => (this.wasCut ||= exitCode === null))
      .catch(() => undefined)
      .finally(() => this.commands.delete(command));
    return command;
  }

  /** Starts the CLI in a terminal that has so many columns. The provider starts anew: it looks for the terminal that it is in. */
  async terminal(args: readonly string[], columns: number): Promise<Terminal> {
    const { program, env, cli } = this.place;
    const kept = await this.place.kept.forRun(args, {});
    const terminal = new Terminal(cli, [...args, ...kept.args], { cwd: program, env, columns });
    this.terminals.add(terminal);
    void terminal.ended
      .then((exitCode) => (this.wasCut ||= exitCode === null))
      .catch(() => undefined)
      .finally(() => this.terminals.delete(terminal));
    return terminal;
  }

  /** The state as stored on disk. */
  stateText(): string {
    const { scratch, program, name } = this.place;
    return readFileSync(
      join(scratch, "backend", ".pulumi", "stacks", projectName(program), `${name}.json`),
      "utf8",
    );
  }

  state(): State {
    return parseState(this.stateText());
  }

  /** The resource with that logical name. Throws when there is none. */
  resource(name: string): StateResource {
    return resourceNamed(this.state(), name);
  }

  async setConfig(key: string, value: string, { secret = false } = {}): Promise<void> {
    await this.setAllConfig({ [key]: secret ? { secret: value } : value });
  }

  /** Sets many values in one run of the CLI. */
  async setAllConfig(config: Record<string, ConfigValue>): Promise<void> {
    const args = Object.entries(config).flatMap(([key, value]) =>
      typeof value === "string" ? ["--plaintext", `${key}=${value}`] : ["--secret", `${key}=${value.secret}`],
    );
    if (args.length > 0) await this.run(["config", "set-all", ...args]);
  }

  /** Replaces or adds files of the program. */
  write(files: Record<string, string>): void {
    writeFiles(this.place.program, files);
  }

  /** Ends what still runs and removes every file of the stack. It does not destroy resources. */
  async dispose(): Promise<void> {
    await Promise.all([...this.commands, ...this.terminals].map((command) => command.kill()));
    await this.place.kept.end(!this.wasCut);
    for (const folder of [this.place.program, this.place.scratch]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

const unattended = ["--yes", "--skip-preview"];

function flag(name: string, wanted: boolean | undefined): string[] {
  return wanted ? [name] : [];
}

function changeFlags(options: ChangeOptions): string[] {
  return [...flag("--diff", options.diff), ...(options.args ?? [])];
}

/** A preview that fails early prints no JSON. */
function parsePreview(stdout: string): PreviewJson | undefined {
  const start = stdout.indexOf("{");
  return start === -1 ? undefined : (JSON.parse(stdout.slice(start)) as PreviewJson);
}
