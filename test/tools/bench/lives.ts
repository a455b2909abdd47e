/** What each run of the CLI in the life of a stack costs, for each program; the order of programs turns from round to round. */
import { stateAtTheEnd } from "../../engine";
import { atPlace, measure, type Cost } from "./place";
import { pollMs, programNames, programOf, type ProgramName } from "./programs";

export interface Sample extends Cost {
  readonly count: number;
  readonly round: number;
  readonly program: ProgramName;
  readonly run: string;
  readonly requests: number;
}

/** From so many resources on, one round has to do, and the engine writes the state at the end: it would be most of a run. */
export const many = 1000;
/** Operations at once: with the engine's default, most resources would wait for their turn. */
export const parallel = 100;

const unattended = ["--yes", "--skip-preview"];
export const up = ["up", ...unattended];

/** Each begins where the one before it ended. */
const runs: readonly (readonly [name: string, words: readonly string[], env?: Record<string, string>])[] = [
  ["first up", up],
  ["preview, no change", ["preview"]],
  ["up, no change", up],
  ["refresh", ["refresh", ...unattended]],
  ["up, one changed", up, { FIRST_TAG: "2" }],
  ["up, all changed", up, { TAG: "3" }],
  ["destroy", ["destroy", ...unattended]],
];

export async function measureLives(
  counts: readonly number[],
  roundsOf: (count: number) => number,
  tell: (text: string) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const count of counts) {
    for (let round = 1; round <= roundsOf(count); round++) {
      // Whichever comes first finds the machine as the others left it.
      const first = (round - 1) % programNames.length;
      for (const program of [...programNames.slice(first), ...programNames.slice(0, first)]) {
        tell(`${count} × ${program}, round ${round} of ${roundsOf(count)}`);
        samples.push(...(await lifeOf(program, count, round)));
      }
    }
  }
  return samples;
}

function lifeOf(program: ProgramName, count: number, round: number): Promise<Sample[]> {
  const env = {
    DEPLOYMENT_SERVICE_POLL_INTERVAL: `${pollMs}ms`,
    PULUMI_PARALLEL: String(parallel),
    ...(count >= many && stateAtTheEnd),
  };
  // Short, because most of a long rollout is waiting.
  const emulator = { rollout: { afterMs: 400 } };
  return atPlace({ program: { "index.js": programOf(program, count) }, emulator, env }, async (place) => {
    const samples: Sample[] = [];
    for (const [run, words, more] of runs) {
      place.emulator.clearRequests();
      const cost = await measure(place, words, more);
      samples.push({ count, round, program, run, ...cost, requests: place.emulator.requests().length });
    }
    return samples;
  });
}
