/** What each run of the CLI in the life of a stack costs, for each program. */
import { stateAtTheEnd } from "../../engine";
import type { Product } from "../../support/product";
import { atPlace, latencyMs, measure, type Cost } from "./place";
import { pollMs, programOf, type ProgramName } from "./programs";

export interface Sample extends Cost {
  readonly count: number;
  readonly round: number;
  readonly program: ProgramName;
  readonly run: string;
  readonly requests: number;
}

/** Operations at once: with the engine's default, most resources would wait for their turn. */
const parallel = 100;
/** Short, because most of a long rollout is waiting. */
const rolloutMs = 400;

/** What the figures depend on, besides the machine. */
export const setting =
  `Each response of the service takes ${latencyMs} ms, and a rollout ${rolloutMs} ms; polls begin after ${pollMs} ms. Each run is a ` +
  `command of the CLI with \`--parallel ${parallel}\`, and state is written once, at the end.`;

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
  rounds: number,
  programs: readonly ProgramName[],
  tell: (text: string) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const count of counts)
    for (let round = 1; round <= rounds; round++)
      for (const program of programs) {
        tell(`${count} × ${program}, round ${round} of ${rounds}`);
        const life = await lifeOf(program, count);
        samples.push(...life.map((each) => ({ count, round, program, ...each })));
      }
  return samples;
}

function lifeOf(program: ProgramName, count: number) {
  const env = {
    DEPLOYMENT_SERVICE_POLL_INTERVAL: `${pollMs}ms`,
    PULUMI_PARALLEL: String(parallel),
    ...stateAtTheEnd,
  };
  const service = { rollout: { afterMs: rolloutMs } };
  const live = async (product: Product) => {
    const samples: Omit<Sample, "count" | "round" | "program">[] = [];
    for (const [run, words, more] of runs) {
      product.emulator.clearRequests();
      const cost = await measure(product, words, more);
      samples.push({ run, ...cost, requests: product.emulator.requests().length });
    }
    return samples;
  };
  return atPlace(programOf(program, count), service, live, env);
}
