/** The end of a sequence. Without further failures, a few commands and the advice in errors repair everything. */
import { isDeepStrictEqual } from "node:util";
import { command, textOf } from "./command";
import { holdDone } from "./done";
import type { Outcome } from "./engine/run";
import type { Resource } from "./engine/state";
import { Broken } from "./laws";
import { addresses, type Dialect } from "./places";
import { providerNames, providerUrn, urnOf } from "./program";
import type { Values } from "./wire";
import { calm, type Machine, type World } from "./world";

const rounds = 10;

export async function bringToAnEnd(world: World): Promise<void> {
  await bringInOrder(world);
  for (const [slot, spec] of world.program) holdDone(world, slot, spec);
  const again = await command(world, { do: "up" }, calm);
  const requests = world.places.emulators.flatMap((emulator) => emulator.requestLines());
  if (again.outcomes.some(({ operation }) => operation !== "same") || requests.length > 0)
    throw new Broken(`an up without a change does something: ${textOf(again.outcomes)} ${requests.join()}`);

  const declared = inputsOf(world);
  await command(world, { do: "refresh" }, calm);
  if (!isDeepStrictEqual(inputsOf(world), declared))
    throw new Broken(`a refresh finds a drift that is none: ${JSON.stringify([declared, inputsOf(world)])}`);
  await destroyAll(world);
}

/** The first `up` says which settings the providers have now; from then on each failure is followed by what it advises. */
async function bringInOrder(world: World): Promise<void> {
  let failed = failures((await command(world, { do: "up" }, calm)).outcomes);
  for (let round = 0; round < rounds; round++) {
    failed.forEach((outcome) => followAdvice(world, outcome));
    await takeWaysOut(world);
    world.outOfBand.unseen.clear();
    failed = failures((await command(world, { do: "up" }, calm)).outcomes);
    if (failed.length === 0) return;
  }
  throw new Broken(`it does not come to an end: ${textOf(failed)}`);
}

const failures = (outcomes: readonly Outcome[]) => outcomes.filter(({ error }) => error !== undefined);

/**
 * The ways out of a refresh that does not know: what was made elsewhere is destroyed there, with the settings of that time,
 * and what was really deleted is taken out of the state.
 */
async function takeWaysOut(world: World): Promise<void> {
  let failed: readonly Outcome[] = [];
  for (let round = 0; round < 3; round++) {
    failed = failures((await command(world, { do: "refresh" }, calm)).outcomes);
    if (failed.length === 0) return;
    for (const urn of new Set(failed.map((each) => each.urn))) await leaveOtherPlace(world, urn, failed);
  }
  for (const { urn, error } of failed) {
    const { state } = world.engine;
    const copies = state.held.filter((each) => each.urn === urn && world.places.of(each.id) === undefined);
    if (copies.length === 0 || !error!.message.includes("pulumi state delete"))
      throw new Broken(`a refresh in peace failed: ${textOf(failed)}`);
    state.write(...copies.map((copy) => [copy, undefined] as const));
  }
}

async function leaveOtherPlace(world: World, urn: string, failed: readonly Outcome[]): Promise<void> {
  const copies = world.engine.state.held.filter((each) => each.urn === urn);
  const texts = failed.flatMap((each) => (each.urn === urn ? (each.error?.message ?? []) : [])).join("\n");
  for (const machine of copies.flatMap((copy) => machineAt(world, copy, texts) ?? [])) {
    await command(world, { do: "configure" }, calm, machine);
    await command(world, { do: "destroy", targets: new Set([urn]) }, calm, machine);
    await command(world, { do: "configure" }, calm);
  }
}

/** Settings that connect a resource's provider to the place where it was created. */
function machineAt(
  { places, firstSeen }: World,
  { provider, id }: Resource,
  text: string,
): Machine | undefined {
  const dialect = /was created with dialect (standard|langsmith),/.exec(text)?.[1];
  if (dialect !== undefined) return { dialect: dialect as Dialect };
  const name = providerNames.find((each) => provider.startsWith(`${providerUrn(each)}::`));
  const url = /was created at ([^\s,]+),/.exec(text)?.[1];
  const address = url === undefined ? undefined : addresses.find((each) => places.url(each) === url);
  if (address !== undefined) return name === "eu" ? { eu: address } : { address };
  if (firstSeen.get(id)?.place !== places.other || name === "eu") return undefined;
  return name === "us" ? { us: "key of another tenant" } : { isOtherTenant: true };
}

/** Follows the advice in the errors. */
function followAdvice(world: World, { urn, error }: Outcome): void {
  const slot = world.slotOf(urn);
  const spec = slot === undefined ? undefined : world.program.get(slot);
  const text = error?.message ?? "";
  if (slot === undefined || spec === undefined || text.includes("is being deleted")) return;
  const change = (patch: object) => void world.program.set(slot, { ...spec, ...patch });
  const wrong = /(?:cannot adopt (?:the deployment )?|the source of )([0-9a-f-]{36})/.exec(text)?.[1];
  if (wrong !== undefined) return world.outOfBand.remove(wrong);
  const hidden = /hides the values of ([\w, ]+), which this/.exec(text)?.[1]?.split(", ") ?? [];
  if (hidden.length > 0) {
    const more = Object.fromEntries(hidden.map((name) => [name, 0]));
    return change({ secrets: { ...more, ...spec.secrets } });
  }
  if (text.includes("The name belongs to this resource's own deployment"))
    return change({ deletesFirst: true });
  const held = world.engine.state.live(urnOf(slot, spec));
  const isReplaced = held !== undefined && !held.isHalfReplaced;
  if (text.includes("deleteBeforeReplace") && isReplaced) return change({ deletesFirst: true });
  if (text.includes("adopt: true")) return change({ adopt: true });
  if (/rollout did not finish|change `triggers`/.test(text))
    return change({ trigger: (spec.trigger ?? 0) + 1 });
}

async function destroyAll(world: World): Promise<void> {
  const { outcomes } = await command(world, { do: "destroy" }, calm);
  const left = world.places.all
    .flatMap((place) => place.deployments())
    .filter(({ id, name, deletion }) => {
      return deletion === undefined && !world.outOfBand.made.has(id) && !world.ambiguous.has(name);
    });
  if (left.length > 0 || world.engine.state.resources.length > 0)
    throw new Broken(`a destroy leaves ${JSON.stringify(left)}: ${textOf(outcomes)}`);
}

/**
 * Without the URN: an alias changes it, and that is no update. Nor is it one where a program states what was chosen once,
 * by itself or by the service.
 */
const inputsOf = ({ engine }: World) =>
  engine.state.resources.map(({ urn, inputs: { __options: context, sourceConfig, ...inputs } }) => {
    const { deploymentType: _, ...config } = (sourceConfig ?? {}) as Values;
    return [urn, { ...inputs, sourceConfig: config }, { ...(context as object), urn: "" }];
  });
