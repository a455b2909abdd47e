/** The most memory that the provider process of a run ever had, as the kernel remembers it. */
import { existsSync, readFileSync } from "node:fs";
import { descendantsOf } from "../../engine/descendants";

const everyMs = 50;
const script = "dynamic-provider/index.js";

export class PeakMemory {
  #bytes: number | undefined;
  #provider: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param pid of the CLI, or of what runs it */
  constructor(private readonly pid: number) {
    if (existsSync("/proc/self/status")) this.#timer = setInterval(() => this.#sample(), everyMs);
  }

  /** Undefined where there was no such process, or the system does not say. */
  stop(): number | undefined {
    clearInterval(this.#timer);
    return this.#bytes;
  }

  #sample(): void {
    this.#provider ??= descendantsOf(this.pid).find(isProvider);
    if (this.#provider === undefined) return;
    const bytes = peakIn(textOf(`/proc/${this.#provider}/status`));
    // A process that has ended and was not yet waited for has no memory any more.
    if (bytes !== undefined) this.#bytes = Math.max(this.#bytes ?? 0, bytes);
  }
}

/** The line of `/proc/PID/status` with the peak of the resident memory, in bytes. */
export function peakIn(status: string): number | undefined {
  const kibibytes = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** Not the process that only looks up where that script is. */
function isProvider(pid: number): boolean {
  return textOf(`/proc/${pid}/cmdline`)
    .split("\0")
    .some((argument) => argument.endsWith(script));
}

/** Empty for a process that ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
