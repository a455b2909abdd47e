import fc from "fast-check";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import type { Clock } from "../../provider/clock";
import { startFakeEngine, type FakeEngine } from "../support/provider-process/fake-engine";
import { Places } from "./support/places";
import { play, scripts, type Played, type Script } from "./support/script";

vi.mock("../../provider/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

/** More, others, and without an end, where the environment says how many: a change is judged by the same ones each time. */
const runs = process.env["MODEL_RUNS"];
const seed = process.env["MODEL_SEED"] ?? (runs === undefined ? "1" : undefined);
const path = process.env["MODEL_PATH"];

let places: Places;
let engineSide: FakeEngine;
const played: Played = { sequences: 0, steps: 0, commands: 0 };

beforeAll(async () => {
  places = await Places.open();
  engineSide = await startFakeEngine();
  // The address of the engine, where the provider process finds it.
  process.argv.push(engineSide.address);
});

afterAll(async () => {
  const { sequences, steps, commands } = played;
  process.stdout.write(`played ${sequences} sequences: ${steps} steps, ${commands} commands of the engine\n`);
  engineSide.stop();
  await places.close();
});

const parameters: fc.Parameters<[Script]> = {
  numRuns: Number(runs ?? 100),
  ...(runs === undefined && { interruptAfterTimeLimit: 30_000 }),
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(path !== undefined && { path, endOnFailure: true }),
};

describe("a stack", () => {
  it(
    "keeps to the laws whatever is declared, goes wrong, or is done by others, and comes out as declared (H16)",
    { timeout: 3_600_000 },
    () =>
      fc.assert(
        fc.asyncProperty(scripts, (script) => play({ places, engineSide }, script, played)),
        parameters,
      ),
  );
});
