/** Where the sequences of a file of tests are played. The file itself replaces the clock: see `vi.mock` there. */
import { afterAll, beforeAll } from "vitest";
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
