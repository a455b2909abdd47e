import fc from "fast-check";
import { afterAll, describe, it, vi } from "vitest";
import type { Clock } from "../../provider/clock";
import { packagedProviders } from "./support/engine/packaged";
import { dynamicProviders } from "./support/engine/process";
import { play, scripts, type Played, type Script } from "./support/script";
import { useStage } from "./support/stage";

vi.mock("../../provider/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

/** More, others, and without an end, where the environment says how many: a change is judged by the same ones each time. */
const runs = process.env["MODEL_RUNS"];
const seed = process.env["MODEL_SEED"] ?? (runs === undefined ? "1" : undefined);
const path = process.env["MODEL_PATH"];

const stage = useStage();
const played: Played = { sequences: 0, steps: 0, commands: 0 };

afterAll(() => {
  const { sequences, steps, commands } = played;
  process.stdout.write(`played ${sequences} sequences: ${steps} steps, ${commands} commands of the engine\n`);
});

const parameters: fc.Parameters<[Script]> = {
  numRuns: Number(runs ?? 100),
  ...(runs === undefined && { interruptAfterTimeLimit: 30_000 }),
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(path !== undefined && { path, endOnFailure: true }),
};

/** What is beside the core is held for the packaged one by fewer. */
const share = { dynamic: 1, packaged: 0.5 };

describe("a stack", () => {
  it.each([
    ["dynamic", dynamicProviders],
    ["packaged", packagedProviders],
  ] as const)(
    "keeps to the laws whatever is declared, goes wrong, or is done by others, and comes out as declared: of the %s provider (H16, I07)",
    { timeout: 3_600_000 },
    async (name, providers) => {
      let last: Promise<void> | undefined;
      const property = fc.asyncProperty(scripts, (script) => {
        return (last = play({ ...stage(), providers }, script, played));
      });
      await fc.assert(property, { ...parameters, numRuns: Math.ceil(parameters.numRuns! * share[name]) });
      // What the time limit cut off goes on, and is not to meet the next one in the same places.
      await last?.catch(() => undefined);
    },
  );
});
