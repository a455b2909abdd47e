/** Runs all phases of each program on the real CLI against an emulator, in an order that alternates from round to round. */
import { startEmulator, type Emulator } from "../../../emulator";
import { Command, createStack, type Stack } from "../../engine";
import { PeakMemory } from "./memory";
import { phases, type Phase } from "./phases";
import { ProcessorTime } from "./processor-time";
import { pollMs, programNames, programOf, type ProgramName } from "./programs";
import { bytesPerResource } from "./state-size";

export interface Sample {
  readonly count: number;
  readonly round: number;
  readonly program: ProgramName;
  readonly phase: string;
  readonly wallSeconds: number;
  readonly processorSeconds: number;
  /** Of the provider process, in bytes. Not everywhere measured. */
  readonly peakMemory?: number | undefined;
  /** Bytes of state per resource after the run. None after a destroy. */
  readonly stateBytes?: number | undefined;
  /** Requests by method. */
  readonly requests: Readonly<Record<string, number>>;
}

export interface Rounds {
  /** How many resources. */
  readonly counts: readonly number[];
  readonly rounds: number;
  /** What is done next. */
  readonly tell: (text: string) => void;
}

const latencyMs = 20;
/** Short, because most of a long rollout is waiting. */
const rolloutMs = 400;

export async function runRounds({ counts, rounds, tell }: Rounds): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const count of counts) {
    for (let round = 1; round <= rounds; round++) {
      for (const program of orderOf(round)) {
        tell(`${count} × ${program}, round ${round} of ${rounds}`);
        samples.push(...(await lifeOf(program, count, round)));
      }
    }
  }
  return samples;
}

/** Whoever comes first finds the machine as the others left it: each round another begins. */
function orderOf(round: number): ProgramName[] {
  const first = (round - 1) % programNames.length;
  return [...programNames.slice(first), ...programNames.slice(0, first)];
}

async function lifeOf(program: ProgramName, count: number, round: number): Promise<Sample[]> {
  const emulator = await startEmulator({ latency: latencyMs, rollout: { afterMs: rolloutMs } });
  const stack = await createStack({
    program: { "Pulumi.yaml": "name: bench\nruntime: nodejs\n", "index.js": programOf(program, count) },
    env: {
      DEPLOYMENT_SERVICE_URL: emulator.url,
      DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
      DEPLOYMENT_SERVICE_POLL_INTERVAL: `${pollMs}ms`,
    },
  }).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  const samples: Sample[] = [];
  try {
    for (const phase of phases) {
      samples.push({ count, round, program, phase: phase.name, ...(await measure(phase, stack, emulator)) });
    }
  } finally {
    await stack.dispose();
    await emulator.close();
  }
  return samples;
}

type Measured = Omit<Sample, "count" | "round" | "program" | "phase">;

async function measure({ command, env }: Phase, stack: Stack, emulator: Emulator): Promise<Measured> {
  const processor = new ProcessorTime();
  emulator.clearRequests();
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
    return {
      wallSeconds,
      processorSeconds: processor.seconds(),
      peakMemory: memory.stop(),
      stateBytes: bytesPerResource(stack.stateText()),
      requests: countByMethod(emulator),
    };
  } finally {
    memory.stop();
    await run.kill();
    processor.dispose();
  }
}

function countByMethod(emulator: Emulator): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method } of emulator.requests()) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}
