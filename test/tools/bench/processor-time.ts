/**
 * Processor time of a command with everything that it starts: a shell runs it, and says at the end what the children that
 * were waited for took, with theirs. The CLI waits for its plugins, and they for theirs.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const script = 'file=$1; shift; "$@"; code=$?; times >"$file"; exit $code';

export class ProcessorTime {
  readonly #folder = mkdtempSync(join(tmpdir(), "processor-time-"));
  readonly #file = join(this.#folder, "times");

  /** The same command, measured. */
  measured(command: readonly string[]): [file: string, args: string[]] {
    return ["sh", ["-c", script, "sh", this.#file, ...command]];
  }

  /** Seconds that the last measured command took. */
  seconds(): number {
    return childSeconds(readFileSync(this.#file, "utf8"));
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What `times` prints: a line of the shell's own time, and one of its children's, each of user and system. */
export function childSeconds(printed: string): number {
  const times = [...printed.matchAll(/(\d+)m(\d+(?:[.,]\d+)?)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds!.replace(",", ".")),
  );
  if (times.length !== 4) throw new Error(`The shell's times are not understood: ${printed}`);
  return times[2]! + times[3]!;
}
