/** One command of the engine, held to the laws. */
import { holdDone, holdGreen } from "./done";
import type { Outcome } from "./engine/run";
import { Broken, holdAlways } from "./laws";
import { urnOf } from "./program";
import type { Chances, Command, Machine, Ran, World } from "./world";

/** Runs a command, and holds it to the laws. */
export async function command(
  world: World,
  what: Command,
  chances: Chances,
  machine: Machine = {},
): Promise<Ran> {
  const ran = await world.run(what, chances, machine);
  holdAlways(world, ran);
  if (what.do === "up" && !ran.isKilled) holdAllDone(world, ran);
  if (what.do === "up" && ran.isGreen) {
    holdGreen(world, machine);
    await holdNextPreviewEmpty(world, machine);
  }
  return ran;
}

/** What each resource's own operation says is done, although another one may have failed. */
function holdAllDone(world: World, { outcomes }: Ran): void {
  const { uncertain, outOfBand } = world;
  for (const [slot, spec] of world.program) {
    const own = outcomes.filter(({ urn, operation }) => urn === urnOf(slot, spec) && operation !== "refresh");
    const last = own.at(-1);
    const id = world.resourceOf(slot)?.id ?? "";
    const isDisturbed = uncertain.has(slot) || outOfBand.unseen.has(id);
    const isDone = last !== undefined && last.operation !== "delete" && last.error === undefined;
    if (isDone && !isDisturbed) holdDone(world, slot, spec);
  }
}

export async function preview(world: World, machine: Machine = {}): Promise<Outcome[]> {
  const outcomes = await world.preview(machine);
  const requests = world.places.emulators.flatMap((emulator) => emulator.requestLines());
  if (requests.length > 0) throw new Broken(`a preview sends requests: ${requests.join()}`);
  return outcomes;
}

async function holdNextPreviewEmpty(world: World, machine: Machine): Promise<void> {
  const outcomes = await preview(world, machine);
  if (outcomes.some(({ operation, error }) => operation !== "same" || error !== undefined))
    throw new Broken(`the preview after a green up is not empty: ${textOf(outcomes)}`);
}

export function textOf(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(({ urn, operation, error }) => `${urn.split("::").at(-1)} ${operation} ${error?.message ?? "ok"}`)
    .join("\n");
}
