/** A program on the real CLI, against an emulator of its own, and what one run of the CLI takes. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmulatorOptions } from "../../../emulator";
import { Command } from "../../engine";
import { descendantsOf } from "../../engine/descendants";
import { Product } from "../../support/product";

export interface Cost {
  readonly wallSeconds: number;
  /** Of the CLI with everything that it starts. */
  readonly processorSeconds: number;
  /** The peak of the provider process, in bytes; undefined where the system does not tell. */
  readonly peakMemory: number | undefined;
}

/** How long each response of the service takes. */
export const latencyMs = 20;

/** Nothing is left when the work is done. */
export async function atPlace<T>(
  program: string,
  options: EmulatorOptions,
  work: (product: Product) => Promise<T>,
  env: Record<string, string>,
): Promise<T> {
  const product = await Product.start({
    program: { "Pulumi.yaml": "name: bench\nruntime: nodejs\n", "index.js": program },
    isPlain: true,
    keeps: "nothing",
    emulator: { latency: latencyMs, ...options },
    env,
  });
  try {
    return await work(product);
  } finally {
    await product.end();
  }
}

/** The shell says at the end what the children that it waited for took, with theirs. */
const timed = 'file=$1; shift; "$@"; code=$?; times >"$file"; exit $code';

/** Runs the CLI. Throws with all that it printed if it fails. */
export async function measure({ stack }: Product, words: readonly string[], env = {}): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const times = join(folder, "times");
  const started = performance.now();
  const run = new Command("sh", ["-c", timed, "sh", times, "pulumi", "--non-interactive", ...words], {
    cwd: stack.folder,
    env: { ...stack.environment, ...env },
  });
  let peakMemory: number | undefined;
  const sampling = setInterval(() => (peakMemory = providerMemory(run.pid) ?? peakMemory), 50);
  try {
    const { exitCode, output } = await run.result;
    const wallSeconds = (performance.now() - started) / 1000;
    if (exitCode !== 0) throw new Error(`pulumi ${words.join(" ")} failed (exit ${exitCode}):\n${output}`);
    return { wallSeconds, processorSeconds: childSeconds(readFileSync(times, "utf8")), peakMemory };
  } finally {
    clearInterval(sampling);
    rmSync(folder, { recursive: true });
  }
}

/** `times` prints a line of the shell's own time, and one of its children's, each of user and system. */
function childSeconds(printed: string): number {
  const seconds = [...printed.matchAll(/(\d+)m(\d+(?:\.\d+)?)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return seconds[2]! + seconds[3]!;
}

/** The kernel remembers the peak, in kB, as long as the process lives; other systems have no such files. */
function providerMemory(pid: number): number | undefined {
  try {
    const provider = descendantsOf(pid).find((each) =>
      readFileSync(`/proc/${each}/cmdline`, "utf8").includes("dynamic-provider/index.js"),
    );
    const peak = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${provider}/status`, "utf8"))?.[1];
    return Number(peak) * 1024;
  } catch {
    return undefined;
  }
}
