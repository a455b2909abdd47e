import { spawn, type ChildProcess } from "node:child_process";
import { Terminal as Screen } from "@xterm/headless";
import { descendantsOf, send } from "./descendants";
import { Watchers } from "./watchers";

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  columns: number;
}

const rows = 40;
/** In CI, the engine does not show its table. */
const nobodysCI = { CI: "", PULUMI_DISABLE_CI_DETECTION: "true" };

/** A command in its own terminal. Needs `script` of util-linux. */
export class Terminal {
  /** The exit code. */
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private readonly screenNow: Screen;
  private readonly watchers = new Watchers(
    () => this.screen(),
    () => this.hasEnded,
  );
  private hasEnded = false;

  constructor(file: string, args: readonly string[], { cwd, env, columns }: TerminalOptions) {
    this.screenNow = new Screen({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
    const command = `stty cols ${columns} rows ${rows}; exec ${[file, ...args].map(quoted).join(" ")}`;
    this.child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
      cwd,
      env: { ...env, ...nobodysCI, TERM: "xterm-256color", SHELL: "/bin/sh" },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    this.child.stdout?.on("data", (bytes: Buffer) => this.screenNow.write(bytes, () => this.watchers.look()));
    this.ended = new Promise((resolve, reject) => {
      this.child.once("error", reject);
      this.child.once("close", (code) => {
        this.hasEnded = true;
        // Waits until the last output is on the screen.
        this.screenNow.write("", () => {
          this.watchers.look();
          resolve(code);
        });
      });
    });
  }

  /** All lines so far, with those above the screen. */
  screen(): string {
    const { active } = this.screenNow.buffer;
    const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true));
    return lines.join("\n").trimEnd();
  }

  /** Resolves with the screen once it matches. Throws if the command ends before, or shows nothing of it in that time. */
  waitFor(pattern: RegExp): Promise<string> {
    return this.watchers.waitFor(pattern);
  }

  /** Ends the command and its descendants, which `script` starts in their own session. */
  async kill(): Promise<void> {
    const { pid } = this.child;
    if (!this.hasEnded && pid !== undefined) {
      for (const target of [...descendantsOf(pid), pid]) send(target, "SIGKILL");
    }
    await this.ended;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
