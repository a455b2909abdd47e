import { spawn, type ChildProcess } from "node:child_process";
import { Terminal as Screen } from "@xterm/headless";

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  columns: number;
}

const rows = 40;

/** A command in a terminal of its own: what somebody sees who sits before it. Needs `script` of util-linux. */
export class Terminal {
  /** The exit code. */
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private readonly screenNow: Screen;
  private readonly waiting = new Set<() => void>();
  private hasEnded = false;

  constructor(file: string, args: readonly string[], { cwd, env, columns }: TerminalOptions) {
    this.screenNow = new Screen({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
    const command = `stty cols ${columns} rows ${rows}; exec ${[file, ...args].map(quoted).join(" ")}`;
    this.child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
      cwd,
      env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    this.child.stdout?.on("data", (bytes: Buffer) => this.screenNow.write(bytes, () => this.look()));
    this.ended = new Promise((resolve, reject) => {
      this.child.once("error", reject);
      this.child.once("close", (code) => {
        this.hasEnded = true;
        // What came last is on the screen by then.
        this.screenNow.write("", () => {
          this.look();
          resolve(code);
        });
      });
    });
  }

  /** All lines so far, those above the screen too. */
  screen(): string {
    const { active } = this.screenNow.buffer;
    const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true));
    return lines.join("\n").trimEnd();
  }

  /** Resolves with the screen once it matches. Throws if the command ends before. */
  waitFor(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const screen = this.screen();
        if (!pattern.test(screen) && !this.hasEnded) return;
        this.waiting.delete(look);
        if (pattern.test(screen)) resolve(screen);
        else reject(new Error(`The command ended, and ${pattern} was not on the screen:\n${screen}`));
      };
      this.waiting.add(look);
      look();
    });
  }

  async kill(): Promise<void> {
    if (!this.hasEnded && this.child.pid !== undefined) process.kill(-this.child.pid, "SIGKILL");
    await this.ended;
  }

  private look(): void {
    for (const look of [...this.waiting]) look();
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
