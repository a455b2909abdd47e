/** What happens to a stack, step by step, and the end to which it must come. */
import { isDeepStrictEqual } from "node:util";
import fc, { type Arbitrary } from "fast-check";
import type { dynamic } from "@pulumi/pulumi";
import type { FakeEngine } from "../../contract/support/fake-engine";
import type { Emulator, SecretsAnswer } from "../../emulator";
import { Chance } from "./chance";
import type { Outcome } from "./engine";
import { Broken, holdAlways, holdDone, maxConcurrency } from "./laws";
import { logicalName, specs, type Spec } from "./program";
import { calm, World, type Chances } from "./world";

type Edit = { readonly at: number; readonly spec: Spec | null };

export type Step =
  | { readonly do: "up"; readonly edits: readonly Edit[]; readonly chances: Chances }
  | { readonly do: "refresh" | "destroy"; readonly chances: Chances }
  /** Somebody else does something between two commands. */
  | { readonly do: "drift"; readonly seed: number };

export interface Plot {
  readonly secrets: SecretsAnswer;
  readonly steps: readonly Step[];
}

const size = 5;

const chances: Arbitrary<Chances> = fc.record(
  {
    seed: fc.nat(),
    faults: fc.constantFrom(0, 0.05, 0.3),
    others: fc.constantFrom(0, 0, 0.05),
    rollouts: fc.constantFrom("good", "mixed"),
    kill: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ["seed", "faults", "others", "rollouts"], noNullPrototype: true },
);

const edit: Arbitrary<Edit> = fc.record(
  { at: fc.nat({ max: size - 1 }), spec: fc.option(specs, { freq: 6 }) },
  { noNullPrototype: true },
);

const step: Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      { do: fc.constant("up" as const), edits: fc.array(edit, { maxLength: 4 }), chances },
      { noNullPrototype: true },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { do: fc.constantFrom("refresh" as const, "refresh" as const, "destroy" as const), chances },
      { noNullPrototype: true },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("drift" as const), seed: fc.nat() }, { noNullPrototype: true }),
  },
);

export const plots: Arbitrary<Plot> = fc.record(
  {
    secrets: fc.constantFrom("clear", "clear", "masked", "omitted"),
    steps: fc.array(step, { minLength: 1, maxLength: 7 }),
  },
  { noNullPrototype: true },
);

export interface Stage {
  readonly emulator: Emulator;
  readonly engineSide: FakeEngine;
  readonly provider: dynamic.ResourceProvider;
}

export async function play(
  { emulator, engineSide, provider }: Stage,
  { secrets, steps }: Plot,
): Promise<void> {
  const world = new World(emulator, engineSide, provider, size, settingsFor(emulator), secrets);
  for (const step of steps) await take(world, step);
  await comeToAnEnd(world);
}

function settingsFor({ url, apiKey }: Emulator): Record<string, string> {
  return {
    "deployment-service:baseUrl": url,
    "deployment-service:apiKey": apiKey,
    "deployment-service:maxConcurrency": String(maxConcurrency),
    "deployment-service:requestTimeout": "250ms",
    "deployment-service:pollInterval": "2s",
  };
}

async function take(world: World, step: Step): Promise<void> {
  if (step.do === "drift") return world.others.act(new Chance(step.seed));
  if (step.do === "up") for (const { at, spec } of step.edits) declare(world, logicalName(at), spec);
  const outcomes = await command(world, step.do, step.chances);
  if (step.do === "up" && outcomes.every(({ isKilled }) => !isKilled)) holdAllDone(world, outcomes);
}

function declare(world: World, logical: string, spec: Spec | null): void {
  if (spec === null) world.program.delete(logical);
  else world.program.set(logical, spec);
}

async function command(
  world: World,
  name: "up" | "refresh" | "destroy",
  chances: Chances,
): Promise<Outcome[]> {
  const generations = new Map(
    [...world.engine.state.values()].map(({ id, outputs }) => [id, Number(outputs["generation"])]),
  );
  const outcomes = await world.run(name, chances);
  holdAlways(world, outcomes, generations);
  return outcomes;
}

function holdAllDone(world: World, outcomes: readonly Outcome[]): void {
  const { uncertain, engine, program, others } = world;
  for (const [logical, spec] of program) {
    const last = outcomes.findLast((outcome) => outcome.logical === logical);
    const id = engine.state.get(logical)?.id ?? "";
    const isDisturbed = uncertain.has(logical) || others.unseen.has(id);
    if (last !== undefined && last.error === undefined && !isDisturbed) holdDone(world, logical, spec);
  }
}

/** Nothing goes wrong any more: a few commands, and what the errors say to do, bring all in order. */
async function comeToAnEnd(world: World): Promise<void> {
  let failed: Outcome[] = [];
  for (let round = 0; round < 8; round++) {
    failed = (await command(world, "refresh", calm)).filter(({ error }) => error);
    if (failed.length > 0) throw new Broken(`a refresh in peace failed: ${textOf(failed)}`);
    world.others.unseen.clear();
    failed = (await command(world, "up", calm)).filter(({ error }) => error);
    if (failed.length === 0) break;
    for (const outcome of failed) followAdvice(world, outcome);
  }
  if (failed.length > 0) throw new Broken(`it does not come to an end: ${textOf(failed)}`);
  for (const [logical, spec] of world.program) holdDone(world, logical, spec);

  const again = await command(world, "up", calm);
  if (again.some(({ operation }) => operation !== "same") || world.emulator.requests.length > 0) {
    throw new Broken(
      `an up without a change does something: ${textOf(again)} ${world.emulator.requestLines().join()}`,
    );
  }
  const declared = inputsOf(world);
  await command(world, "refresh", calm);
  if (!isDeepStrictEqual(inputsOf(world), declared)) {
    throw new Broken(`a refresh finds a drift that is none: ${JSON.stringify([declared, inputsOf(world)])}`);
  }
  const ended = await command(world, "destroy", calm);
  const left = world.emulator.deployments().filter(({ id, name, deletion }) => {
    return deletion === undefined && !world.others.made.has(id) && !world.doubtful.has(name);
  });
  if (left.length > 0 || world.engine.state.size > 0)
    throw new Broken(`a destroy leaves ${JSON.stringify(left)}: ${textOf(ended)}`);
}

/** What the errors say to type. */
function followAdvice(world: World, { logical, error }: Outcome): void {
  const spec = world.program.get(logical);
  const text = error?.message ?? "";
  if (spec === undefined || text.includes("is being deleted")) return;
  const wrong = /cannot adopt (?:the deployment )?([0-9a-f-]{36})/.exec(text)?.[1];
  if (wrong !== undefined) world.others.remove(wrong);
  const doomed = world.doomedOf(logical);
  if (text.includes("adopt: true")) {
    if (doomed !== undefined) world.others.remove(doomed.id);
    else world.program.set(logical, { ...spec, adopt: true });
  }
  const hidden = /does not show the values of ([\w, ]+), which/.exec(text)?.[1]?.split(", ") ?? [];
  const more = Object.fromEntries(hidden.map((name) => [name, 0]));
  if (hidden.length > 0) world.program.set(logical, { ...spec, secrets: { ...more, ...spec.secrets } });
  else if (text.includes("rollout did not finish"))
    world.program.set(logical, { ...spec, trigger: (spec.trigger ?? 0) + 1 });
}

function textOf(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(({ logical, operation, error }) => `${logical} ${operation} ${error?.message ?? "ok"}`)
    .join("\n");
}

const inputsOf = ({ engine }: World) => [...engine.state].map(([logical, { inputs }]) => [logical, inputs]);
