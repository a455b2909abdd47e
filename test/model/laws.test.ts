import type { Parameters } from "fast-check";
import { afterAll, describe, it, vi } from "vitest";
import type { Clock } from "../../provider/time/clock";
import { packagedProviders } from "./support/engine/packaged";
import { dynamicProviders } from "./support/engine/process";
import { play, scripts, type Script } from "./support/script";
import { playEach, useStage } from "./support/stage";
import { runs } from "../support/runs";

vi.mock("../../provider/time/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

/** To play one again. */
const seed = process.env["MODEL_SEED"];
const path = process.env["MODEL_PATH"];

const stages = { standard: useStage(), langsmith: useStage("langsmith") };
const played = { sequences: 0, steps: 0, commands: 0 };

afterAll(() => {
  const { sequences, steps, commands } = played;
  process.stdout.write(`played ${sequences} sequences: ${steps} steps, ${commands} commands of the engine\n`);
});

const parameters: Parameters<[Script]> = {
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(path !== undefined && { path, endOnFailure: true }),
};

describe("a stack", () => {
  it.each([
    ["the dynamic provider", "standard", "standard", dynamicProviders, 40],
    // Fewer sequences for what differs only outside of the core.
    ["the packaged provider", "standard", "withImports", packagedProviders, 20],
    ["sizes of the public service", "langsmith", "publicService", dynamicProviders, 12],
  ] as const)(
    "keeps to the laws whatever is declared, goes wrong, or is done by others, and comes out as declared: %s (H16, I07)",
    { timeout: 3_600_000 },
    async (_, dialect, kind, providers, few) => {
      await playEach(scripts[kind], { ...runs(few, 1), ...parameters }, async (script) => {
        played.commands += await play({ ...stages[dialect](), providers }, script);
        played.steps += script.steps.length;
        played.sequences++;
      });
    },
  );
});
