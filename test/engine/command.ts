import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { descendantsOf, send } from "./descendants";
import { Watchers } from "./watchers";

export interface Result {
  /** Null when a signal ended the command. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Both streams in the order they came, without colours. */
  output: string;
}

/** A running CLI, in a process group of its own. */
export class Command {
  readonly result: Promise<Result>;
  private readonly child: ChildProcess;
  private readonly chunks: { stream: "stdout" | "stderr"; text: string }[] = [];
  private readonly watchers = new Watchers(
    () => this.output(),
    () => this.ended,
  );
  private ended = false;

  constructor(file: string, args: string[], options: { cwd: string; env: Record<string, string> }) {
    this.child = spawn(file, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.collect("stdout");
    this.collect("stderr");
    this.result = new Promise((resolve, reject) => {
      this.child.once("error", reject);
      this.child.once("close", (exitCode) => {
        this.ended = true;
        resolve({
          exitCode,
          stdout: this.text("stdout"),
          stderr: this.text("stderr"),
          output: this.output(),
        });
        this.watchers.look();
      });
    });
    // The result may be ignored.
    this.result.catch(() => this.watchers.look());
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error("The command did not start");
    return this.child.pid;
  }

  /** What it has printed so far. */
  output(): string {
    return this.text();
  }

  /** Resolves once the output so far matches. Throws if the command ends before. */
  waitFor(pattern: RegExp | string, timeoutMs?: number): Promise<string> {
    return this.watchers.waitFor(pattern, timeoutMs);
  }

  /**
   * Ends it and waits for the end. SIGKILL takes the plugins along, as when the machine is lost; any other
   * signal goes to the CLI's process group, as Ctrl-C in a terminal does, and the CLI ends its plugins.
   */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Result> {
    const { pid } = this.child;
    if (!this.ended && pid !== undefined) {
      const plugins = signal === "SIGKILL" ? descendantsOf(pid) : [];
      for (const target of [-pid, ...plugins]) send(target, signal);
    }
    return this.result;
  }

  private collect(stream: "stdout" | "stderr"): void {
    this.child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      this.chunks.push({ stream, text });
      this.watchers.look();
    });
  }

  private text(stream?: "stdout" | "stderr"): string {
    const wanted = this.chunks.filter((chunk) => stream === undefined || chunk.stream === stream);
    return stripVTControlCharacters(wanted.map((chunk) => chunk.text).join(""));
  }
}
