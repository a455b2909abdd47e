/** Where the sequences of a file of tests are played. The file itself replaces the clock: see `vi.mock` there. */
import fc, { type Arbitrary, type Parameters } from "fast-check";
import { afterAll, beforeAll } from "vitest";
import { isLong } from "../../support/runs";
import { startFakeEngine } from "../../support/provider-process/fake-engine";
import { Places, type Dialect } from "./places";
import type { Stage } from "./script";

export function useStage(dialect: Dialect = "standard"): () => Pick<Stage, "places" | "engineSide"> {
  let stage: Pick<Stage, "places" | "engineSide">;
  beforeAll(async () => {
    stage = { places: await Places.open(dialect), engineSide: await startFakeEngine() };
    // The address of the engine, where the provider process finds it.
    process.argv.push(stage.engineSide.address);
  });
  afterAll(async () => {
    stage.engineSide.stop();
    await stage.places.close();
  });
  return () => stage;
}

/** Plays random cases one after the other, in a plain run for half a minute at most. */
export async function playEach<T>(
  cases: Arbitrary<T>,
  parameters: Parameters<[T]>,
  play: (each: T) => Promise<void>,
): Promise<void> {
  let last: Promise<void> | undefined;
  const property = fc.asyncProperty(cases, (each) => (last = play(each)));
  await fc.assert(property, { ...(!isLong && { interruptAfterTimeLimit: 30_000 }), ...parameters });
  // A case that the time limit cut off continues. It must not overlap with the next one in the same places.
  await last?.catch(() => undefined);
}
