/**
 * How long rollouts take that the engine runs a few at a time, and all at once. They are shorter than real ones, and so is
 * the time between two polls: a rollout of half a minute.
 */
import type { Benchmark, Figure } from "./benchmark";
import { up } from "./phases";
import { programOf } from "./programs";
import { atPlace, measure } from "./stack-run";

/** What half a minute, and the two seconds of the first poll, come to. */
const shorter = { quick: 1 / 15, full: 1 / 10 };
const rolloutMs = 30_000;
const pollMs = 2_000;
/** What the engine runs at once on two cores. */
const few = 8;

export const engineSlots: Benchmark = {
  name: "engine-slots",
  async run({ quick, tell }) {
    const count = quick ? 24 : 100;
    const scale = quick ? shorter.quick : shorter.full;
    const secondsAt = (parallel: number) =>
      atPlace(
        {
          program: { "index.js": programOf("package", count) },
          emulator: { rollout: { afterMs: rolloutMs * scale } },
          env: { DEPLOYMENT_SERVICE_POLL_INTERVAL: `${pollMs * scale}ms` },
        },
        async (place) => {
          tell(`${count} rollouts, ${parallel} at a time`);
          return (await measure(place, [...up, "--parallel", String(parallel)])).wallSeconds;
        },
      );
    const figure = async (parallel: number): Promise<Figure> => ({
      what: `${count} rollouts of ${(rolloutMs * scale) / 1_000} s: up --parallel ${parallel}`,
      value: await secondsAt(parallel),
      unit: "s",
    });
    const [slow, quickest] = [await figure(few), await figure(count)];
    return [
      slow,
      quickest,
      { what: `up --parallel ${count} against ${few}`, value: quickest.value / slow.value, unit: "x" },
    ];
  },
};
