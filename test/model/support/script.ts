/** The steps of a sequence, and the end that it must reach. */
import fc, { type Arbitrary } from "fast-check";
import type { FakeEngine } from "../../support/provider-process/fake-engine";
import type { ShownSecrets } from "../../../emulator";
import { Chance } from "./chance";
import { command, preview } from "./command";
import { bringToAnEnd } from "./end";
import type { Start } from "./engine/process";
import { addresses, type Places } from "./places";
import { nameOf, providerNames, providerUrn, publicSpecs, size, specs, urnOf, urnsOf } from "./program";
import type { Spec } from "./program";
import { calm, World, type Chances, type Command, type Machine, type Ran } from "./world";

/** A new declaration for a slot, a change of the one that is there, or none. */
export type Edit =
  | { readonly at: number; readonly spec: Spec | null }
  | { readonly at: number; readonly patch: Partial<Spec> };

export type Step =
  | {
      readonly do: "up";
      readonly edits: readonly Edit[];
      readonly chances: Chances;
      readonly machine?: Machine;
      /** Slots: `--replace`. */
      readonly replace?: readonly number[];
      readonly refresh?: true;
      /** `--parallel`: with one operation at a time, an update begins long after the run. */
      readonly parallel?: number;
    }
  | { readonly do: "refresh" | "destroy"; readonly chances: Chances; readonly machine?: Machine }
  | { readonly do: "preview"; readonly machine?: Machine }
  /** `pulumi state taint` */
  | { readonly do: "taint"; readonly at: number }
  /** Someone else does something between two commands. */
  | { readonly do: "out of band"; readonly seed: number }
  /** Someone makes a deployment by hand, which a free slot imports. */
  | { readonly do: "import"; readonly at: number; readonly seed: number };

export interface Script {
  readonly secrets: ShownSecrets;
  readonly isConfigured: boolean;
  readonly steps: readonly Step[];
}

const often = <T>(usual: T, weight: number, ...others: Arbitrary<T>[]): Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight }, ...others);
const slot = fc.nat({ max: size - 1 });
const record = <T>(members: { [K in keyof T]: Arbitrary<T[K]> }): Arbitrary<T> =>
  fc.record(members, { noNullPrototype: true }) as Arbitrary<T>;

const chances: Arbitrary<Chances> = fc.record(
  {
    seed: fc.nat(),
    failures: fc.constantFrom(0, 0, 0.05, 0.3),
    outOfBand: fc.constantFrom(0, 0, 0, 0.05),
    rollouts: fc.constantFrom("good", "good", "mixed"),
    adds: fc.integer({ min: 1, max: 20 }),
    kill: record({ request: fc.integer({ min: 1, max: 12 }), isDone: fc.boolean() }),
  },
  { requiredKeys: ["seed", "failures", "outOfBand", "rollouts"], noNullPrototype: true },
);

const machine: Arbitrary<Machine | undefined> = often<Machine | undefined>(
  undefined,
  5,
  record({ address: fc.constantFrom(...addresses) }),
  record({ eu: fc.constantFrom("us", "us with a wrong path") }),
  fc.constantFrom<Machine>({ isOtherTenant: true }, { dialect: "langsmith" }),
);

/** Changes of a declaration: other values, another name, parent or provider. */
const patch: Arbitrary<Partial<Spec>> = fc.oneof(
  record({ version: fc.nat({ max: 2 }), command: fc.nat({ max: 2 }) }),
  record({ edition: fc.nat({ max: 1 }), adopt: fc.boolean() }),
  record({ rename: fc.nat({ max: 1 }), adopt: fc.boolean(), hasAliases: fc.boolean() }),
  record({ isChild: fc.boolean(), adopt: fc.boolean(), hasAliases: fc.boolean() }),
  record({ provider: fc.constantFrom(undefined, ...providerNames), adopt: fc.boolean() }),
  record({ tier: fc.constantFrom("dev" as const, "prod" as const), deletesFirst: fc.boolean() }),
);

const publicPatch: Arbitrary<Partial<Spec>> = fc.oneof(
  { weight: 2, arbitrary: record({ deploymentTier: fc.nat({ max: 2 }) }) },
  record({ deploymentTier: fc.nat({ max: 2 }), displayName: fc.nat({ max: 2 }) }),
  record({ deploymentTier: fc.nat({ max: 2 }), secrets: record({ ALPHA: fc.nat({ max: 2 }) }) }),
  record({ deploymentTier: fc.constant(undefined) }),
  record({ edition: fc.nat({ max: 1 }), adopt: fc.boolean() }),
  record({ rename: fc.nat({ max: 1 }), adopt: fc.boolean(), hasAliases: fc.boolean() }),
);

const upOf = (specs: Arbitrary<Spec>, patch: Arbitrary<Partial<Spec>>): Arbitrary<Step> =>
  record({
    do: fc.constant("up" as const),
    edits: fc.array(
      fc.oneof(record({ at: slot, spec: fc.option(specs, { freq: 6 }) }), record({ at: slot, patch })),
      { maxLength: 4 },
    ),
    chances,
    machine,
    replace: often<readonly number[] | undefined>(
      undefined,
      5,
      fc.array(slot, { minLength: 1, maxLength: 2 }),
    ),
    refresh: often<true | undefined>(undefined, 6, fc.constant(true as const)),
    parallel: often<number | undefined>(undefined, 2, fc.constant(1)),
  });

const importing: Arbitrary<Step> = record({ do: fc.constant("import" as const), at: slot, seed: fc.nat() });

const stepOf = (up: Arbitrary<Step>, ...more: Arbitrary<Step>[]): Arbitrary<Step> =>
  fc.oneof(
    { weight: 7, arbitrary: up },
    ...more.map((arbitrary) => ({ weight: 2, arbitrary })),
    {
      weight: 2,
      arbitrary: record({
        do: fc.constantFrom("refresh" as const, "refresh" as const, "destroy" as const),
        chances,
        machine,
      }),
    },
    {
      weight: 1,
      arbitrary: record({ do: fc.constant("preview" as const), machine }),
    },
    {
      weight: 1,
      arbitrary: record({ do: fc.constant("taint" as const), at: slot }),
    },
    {
      weight: 1,
      arbitrary: record({ do: fc.constant("out of band" as const), seed: fc.nat() }),
    },
  );

const scriptsOf = (...steps: Parameters<typeof stepOf>): Arbitrary<Script> =>
  record({
    secrets: fc.constantFrom("clear", "clear", "masked", "omitted"),
    isConfigured: fc.boolean(),
    steps: fc.array(stepOf(...steps), { minLength: 1, maxLength: 7 }),
  });

export const scripts = {
  standard: scriptsOf(upOf(specs, patch)),
  /** The engine imports no dynamic resource. */
  withImports: scriptsOf(upOf(specs, patch), importing),
  publicService: scriptsOf(upOf(publicSpecs, publicPatch)),
};

export interface Stage {
  readonly places: Places;
  readonly engineSide: FakeEngine;
  /** The provider of the stack's deployments. */
  readonly providers: Start;
}

/** Returns how many commands of the engine it took. */
export async function play(
  { places, engineSide, providers }: Stage,
  { secrets, isConfigured, steps }: Script,
): Promise<number> {
  const world = new World(places, engineSide, secrets, isConfigured, providers);
  for (const step of steps) await take(world, step);
  await bringToAnEnd(world);
  return world.commands;
}

/** Plays one step. A command of the engine is held to the laws. */
export async function take(world: World, step: Step): Promise<Ran | undefined> {
  switch (step.do) {
    case "out of band":
      return void world.outOfBand.act(new Chance(step.seed));
    case "taint": {
      const spec = world.program.get(step.at);
      return void (spec && world.engine.taint(urnOf(step.at, spec)));
    }
    case "preview":
      return void (await preview(world, step.machine));
    case "import":
      return importByHand(world, step.at, new Chance(step.seed));
    case "up":
      step.edits.forEach((edit) => declare(world, edit));
      aliasMoves(world);
      return command(world, commandOf(world, step), step.chances, step.machine);
    default:
      return command(world, { do: step.do }, step.chances, step.machine);
  }
}

async function importByHand(world: World, slot: number, chance: Chance): Promise<Ran | undefined> {
  const { program, engine, outOfBand, places } = world;
  const isFree = !program.has(slot) && urnsOf(slot).every((urn) => engine.state.live(urn) === undefined);
  const spec: Spec = { source: "external_container", edition: 0, version: 0 };
  const id = isFree ? outOfBand.create(places.us, nameOf(slot, spec), chance) : undefined;
  if (id === undefined) return undefined;
  program.set(slot, spec);
  return command(world, { do: "import", slot, id }, calm);
}

/**
 * Whether a resource moves to another provider. Each has its own process, which does not know what another one adopts: such a move
 * tells the engine the former URN, and no `--replace` asks for it at once.
 */
function isMoving({ engine }: World, slot: number, { provider }: Spec): boolean {
  const own = `${providerUrn(provider)}::`;
  return urnsOf(slot).some((urn) => engine.state.live(urn)?.provider.startsWith(own) === false);
}

function aliasMoves(world: World): void {
  for (const [slot, spec] of world.program)
    if (isMoving(world, slot, spec)) world.program.set(slot, { ...spec, hasAliases: true });
}

function commandOf(world: World, { replace = [], refresh, parallel }: Step & { do: "up" }): Command {
  const urns = replace.flatMap((at) => {
    const spec = world.program.get(at);
    return spec === undefined || isMoving(world, at, spec) ? [] : [urnOf(at, spec)];
  });
  return { do: "up", replace: new Set(urns), ...(refresh && { refresh }), ...(parallel && { parallel }) };
}

function declare({ program }: World, edit: Edit): void {
  const { at } = edit;
  const now = program.get(at);
  if ("patch" in edit) return now && void program.set(at, { ...now, ...edit.patch });
  if (edit.spec === null) program.delete(at);
  else program.set(at, edit.spec);
}
