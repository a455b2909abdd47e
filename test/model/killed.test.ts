/** A killed `up` of a deployment that was created or adopted, which declares something new, and whose revision fails. */
import fc, { type Arbitrary } from "fast-check";
import { describe, it, vi } from "vitest";
import type { Clock } from "../../provider/time/clock";
import { command } from "./support/command";
import { holdRolledOut } from "./support/done";
import { packagedProviders } from "./support/engine/packaged";
import { dynamicProviders } from "./support/engine/process";
import type { Spec } from "./support/program";
import type { Stage } from "./support/script";
import { playEach, useStage } from "./support/stage";
import { calm, World, type Chances } from "./support/world";
import { isLong, runs } from "../support/runs";

vi.mock("../../provider/time/clock", async (original) => {
  const { clock } = await vi.importActual<{ clock: Clock }>("./support/idle-clock");
  return { ...(await original<object>()), systemClock: clock };
});

const stages = { standard: useStage(), langsmith: useStage("langsmith") };
const few = fc.nat({ max: 2 });
const often = (usual: boolean) => fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, fc.constant(!usual));

const first = {
  standard: fc.constantFrom<Spec>(
    { source: "external_container", edition: 0, version: 0 },
    { source: "external_container", edition: 0, version: 0, cpu: 0, secrets: { ALPHA: 0 } },
    { source: "codehost", edition: 0, version: 0, repo: 0 },
  ),
  langsmith: fc.constantFrom<Spec>(
    { source: "internal_template", tier: "dev_zero", edition: 0, version: 0, secrets: { ALPHA: 0 } },
    ...[{ displayName: 0 }, { deploymentTier: 1 }].map((more): Spec => {
      return {
        ...more,
        source: "internal_template",
        tier: "dev_zero",
        edition: 0,
        version: 0,
        secrets: { ALPHA: 0 },
      };
    }),
  ),
};

/** Another argument, or another value. */
const next: Readonly<Record<keyof typeof first, Arbitrary<Partial<Spec>>>> = {
  standard: fc.record(
    { version: few, path: few, command: few, push: fc.boolean(), cpu: few, label: few, trigger: few },
    { requiredKeys: [], noNullPrototype: true },
  ),
  langsmith: fc.record(
    {
      deploymentTier: few,
      displayName: few,
      trigger: few,
      secrets: fc.constantFrom<Record<string, number>>({ ALPHA: 1 }, { ALPHA: 0, BETA: 0 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
};

const chances = (rollouts: Chances["rollouts"], isKilled = false) =>
  fc.record(
    {
      ...{ seed: fc.nat(), failures: fc.constantFrom(0, 0, 0, 0.1), outOfBand: fc.constant(0) },
      rollouts: fc.constant(rollouts),
      kill: fc.record(
        { request: fc.integer({ min: 1, max: 4 }), isDone: often(true) },
        { noNullPrototype: true },
      ),
    },
    { requiredKeys: [...keys, ...(isKilled ? ["kill" as const] : [])], noNullPrototype: true },
  );
const keys = ["seed", "failures", "outOfBand", "rollouts"] as const;

const scriptOf = (dialect: keyof typeof first) =>
  fc.record(
    {
      first: first[dialect],
      isAdopted: often(true),
      next: next[dialect],
      killed: chances("bad", true),
      isRefreshed: often(true),
      after: fc.oneof(chances("bad"), chances("mixed"), chances("good"), fc.constant(calm)),
      isRefreshedAgain: fc.boolean(),
    },
    { noNullPrototype: true },
  );

type Story = typeof scriptOf extends (dialect: never) => Arbitrary<infer S> ? S : never;

async function tell(
  stage: Omit<Stage, "providers">,
  providers: Stage["providers"],
  script: Story,
): Promise<void> {
  const { places, engineSide } = stage;
  const world = new World(places, engineSide, "clear", false, providers);
  const up = async (spec: Spec, how: Chances) => {
    world.program.set(0, spec);
    const { isGreen } = await command(world, { do: "up" }, how);
    if (isGreen) holdRolledOut(world.places.record(world.resourceOf(0)!.id)!);
    return isGreen;
  };
  const adopt = script.isAdopted && { adopt: true };
  // A killed creation leaves a deployment that the state does not know.
  if (script.isAdopted) await up(script.first, { ...calm, kill: { request: 1, isDone: true } });
  await up({ ...script.first, ...adopt }, calm);
  const declared = { ...script.first, ...adopt, ...script.next };
  await up(declared, script.killed);
  if (script.isRefreshed) await command(world, { do: "refresh" }, calm);
  await up(declared, script.after);
  if (script.isRefreshedAgain) await command(world, { do: "refresh" }, calm);
  if (await up(declared, calm)) return;
  // What failed fails again until something makes another revision.
  const again = { ...declared, trigger: 9 };
  if (!(await up(again, calm))) throw new Error("it does not come to an end");
}

describe("a killed `up` that declares something new", () => {
  const all = [
    ["the dynamic provider", "standard", dynamicProviders, 12],
    ["the packaged provider", "langsmith", packagedProviders, 6],
    ["the packaged provider", "standard", packagedProviders, 6],
    ["the dynamic provider", "langsmith", dynamicProviders, 12],
  ] as const;

  // Dialects and adapters are independent, so a plain run plays each once.
  it.each(isLong ? all : all.slice(0, 2))(
    "is never green while its revision has failed or is unfinished, and then the next preview is empty: %s, %s",
    { timeout: 3_600_000 },
    async (_, dialect, providers, count) => {
      await playEach(scriptOf(dialect), runs(count, 1), (script) =>
        tell(stages[dialect](), providers, script),
      );
    },
  );
});
