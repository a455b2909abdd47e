/** Runs all phases of each program on the real CLI against an emulator, in an order that alternates from round to round. */
import type { Emulator } from "../../../emulator";
import { stateAtTheEnd } from "../../engine";
import { many } from "./options";
import { phases, type Phase } from "./phases";
import { pollMs, programNames, programOf, type ProgramName } from "./programs";
import { atPlace, measure, type Cost, type Place } from "./stack-run";
import { bytesPerResource } from "./state-size";

export interface Sample extends Cost {
  readonly count: number;
  readonly round: number;
  readonly program: ProgramName;
  readonly phase: string;
  /** Bytes of state per resource after the run. None after a destroy. */
  readonly stateBytes?: number | undefined;
  /** Requests by method. */
  readonly requests: Readonly<Record<string, number>>;
}

export interface Rounds {
  /** How many resources. */
  readonly counts: readonly number[];
  /** How often each number is measured. */
  readonly roundsOf: (count: number) => number;
  /** What was done. */
  readonly tell: (text: string) => void;
}

/** Short, because most of a long rollout is waiting. */
const rolloutMs = 400;
/** Operations at once: more than the engine runs unless it is told, or all would wait for their turn most of the time. */
export const parallel = 100;

export async function runRounds({ counts, roundsOf, tell }: Rounds): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const count of counts) {
    const rounds = roundsOf(count);
    for (let round = 1; round <= rounds; round++) {
      for (const program of orderOf(round)) {
        const told = `${count} × ${program}, round ${round} of ${rounds}`;
        samples.push(...(await lifeOf(program, count, round, (text) => tell(`${told}: ${text}`))));
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

async function lifeOf(
  program: ProgramName,
  count: number,
  round: number,
  tell: Rounds["tell"],
): Promise<Sample[]> {
  const place = {
    program: { "index.js": programOf(program, count) },
    emulator: { rollout: { afterMs: rolloutMs } },
    env: {
      DEPLOYMENT_SERVICE_POLL_INTERVAL: `${pollMs}ms`,
      PULUMI_PARALLEL: String(parallel),
      ...(count >= many && stateAtTheEnd),
    },
  };
  return atPlace(place, async (made) => {
    const samples: Sample[] = [];
    for (const phase of phases) {
      const cost = await costOf(phase, made);
      tell(`${phase.name} ${cost.wallSeconds.toFixed(1)} s`);
      samples.push({ count, round, program, phase: phase.name, ...cost });
    }
    return samples;
  });
}

async function costOf(
  { command, env }: Phase,
  place: Place,
): Promise<Cost & Pick<Sample, "stateBytes" | "requests">> {
  const { stack, emulator } = place;
  emulator.clearRequests();
  const cost = await measure(place, command, env);
  return {
    ...cost,
    stateBytes: bytesPerResource(stack.stateText()),
    requests: countByMethod(emulator),
  };
}

function countByMethod(emulator: Emulator): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method } of emulator.requests()) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}
