import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { descendantsOf, send } from "./descendants";

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
  private readonly listeners = new Set<() => void>();
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
        this.notify();
      });
    });
    // The result may be ignored.
    this.result.catch(() => this.notify());
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error("The command did not start");
    return this.child.pid;
  }

  get running(): boolean {
    return !this.ended;
  }

  /** What it has printed so far. */
  output(): string {
    return this.text();
  }

  /** Resolves once the output so far matches. Throws when the command ends first. */
  async waitFor(pattern: RegExp | string, timeoutMs = 60_000): Promise<void> {
    const matches = () =>
      typeof pattern === "string" ? this.output().includes(pattern) : pattern.test(this.output());
    const deadline = Date.now() + timeoutMs;
    while (!matches()) {
      if (this.ended) throw new Error(`The command ended before printing ${pattern}:\n${this.output()}`);
      const left = deadline - Date.now();
      if (left <= 0)
        throw new Error(`The command did not print ${pattern} in ${timeoutMs} ms:\n${this.output()}`);
      await this.change(left);
    }
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
      this.notify();
    });
  }

  private text(stream?: "stdout" | "stderr"): string {
    const wanted = this.chunks.filter((chunk) => stream === undefined || chunk.stream === stream);
    return stripVTControlCharacters(wanted.map((chunk) => chunk.text).join(""));
  }

  private change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.listeners.add(done);
    });
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
