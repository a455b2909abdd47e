/** A program on the real CLI, against an emulator of its own: what one run of the CLI takes. */
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator";
import { Command, createStack, type Stack } from "../../engine";
import { PeakMemory } from "./memory";
import { ProcessorTime } from "./processor-time";

export interface Place {
  readonly stack: Stack;
  readonly emulator: Emulator;
}

export interface PlaceOptions {
  /** The files of the program by name. */
  readonly program: Readonly<Record<string, string>>;
  readonly emulator: EmulatorOptions;
  /** Variables of every run, beside those of the connection. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Cost {
  readonly wallSeconds: number;
  /** Of the CLI with everything that it starts. */
  readonly processorSeconds: number;
  /** Of the provider process, in bytes. Not everywhere measured. */
  readonly peakMemory?: number | undefined;
}

/** How long each response of the service takes, in milliseconds. */
const latencyMs = 20;

/** Nothing of it is left when the work is done. */
export async function atPlace<T>(
  { program, emulator: service, env }: PlaceOptions,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const emulator = await startEmulator({ latency: latencyMs, ...service });
  try {
    const stack = await createStack({
      program: { "Pulumi.yaml": "name: bench\nruntime: nodejs\n", ...program },
      isPlain: true,
      env: { DEPLOYMENT_SERVICE_URL: emulator.url, DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey, ...env },
    });
    try {
      return await work({ stack, emulator });
    } finally {
      await stack.dispose();
    }
  } finally {
    await emulator.close();
  }
}

/** Runs the CLI. Throws with all that it printed where it fails. */
export async function measure(
  { stack }: Place,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Cost> {
  const processor = new ProcessorTime();
  const started = performance.now();
  const run = new Command(...processor.measured(["pulumi", "--non-interactive", ...command]), {
    cwd: stack.folder,
    env: { ...stack.environment, ...env },
  });
  const memory = new PeakMemory(run.pid);
  try {
    const { exitCode, output } = await run.result;
    const wallSeconds = (performance.now() - started) / 1000;
    if (exitCode !== 0) throw new Error(`pulumi ${command.join(" ")} failed (exit ${exitCode}):\n${output}`);
    return { wallSeconds, processorSeconds: processor.seconds(), peakMemory: memory.stop() };
  } finally {
    memory.stop();
    await run.kill();
    processor.dispose();
  }
}
