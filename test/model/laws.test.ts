import fc from "fast-check";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import type { Clock } from "../../provider/clock";
import { provider } from "../../provider/pulumi/dynamic";
import { startFakeEngine, type FakeEngine } from "../contract/support/fake-engine";
import { startEmulator, type Emulator } from "../emulator";
import { play, plots, type Plot } from "./support/plot";

vi.mock("../../provider/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

/** More, others, and without an end, where the environment says how many: a change is judged by the same ones each time. */
const runs = process.env["MODEL_RUNS"];
const seed = process.env["MODEL_SEED"] ?? (runs === undefined ? "1" : undefined);
const path = process.env["MODEL_PATH"];

let emulator: Emulator;
let engineSide: FakeEngine;

beforeAll(async () => {
  emulator = await startEmulator();
  engineSide = await startFakeEngine();
  // The address of the engine, where the provider process finds it.
  process.argv.push(engineSide.address);
});

afterAll(async () => {
  engineSide.stop();
  await emulator.close();
});

const parameters: fc.Parameters<[Plot]> = {
  numRuns: Number(runs ?? 60),
  ...(runs === undefined && { interruptAfterTimeLimit: 30_000 }),
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(path !== undefined && { path, endOnFailure: true }),
};

describe("a stack", () => {
  it(
    "keeps to the laws whatever is declared, goes wrong, or is done by others, and comes out as declared",
    { timeout: 3_600_000 },
    () =>
      fc.assert(
        fc.asyncProperty(plots, (plot) => play({ emulator, engineSide, provider }, plot)),
        parameters,
      ),
  );
});
