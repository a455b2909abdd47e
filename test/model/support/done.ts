/** Laws for a stack whose last `up` succeeded. */
import type { DeploymentRecord } from "../../../emulator";
import { memoryOf } from "../../support/provider-process";
import { hold } from "./laws";
import { isAsExpected } from "./as-declared";
import { expected, type Spec } from "./program";
import type { Machine, World } from "./world";

/** After a successful `up`, everything declared exists once, and nothing is left over. */
export function holdGreen(world: World, machine: Machine): void {
  const { engine, places } = world;
  const left = engine.state.resources.filter(
    ({ isReplaced, isHalfReplaced }) => isReplaced || isHalfReplaced,
  );
  hold(left.length === 0, "a green up leaves nothing to be deleted", left);
  for (const [slot, spec] of world.program) {
    const resource = world.resourceOf(slot);
    hold(resource !== undefined, "what is declared is in the state", { slot });
    // Before a refresh nobody can know.
    if (world.outOfBand.unseen.has(resource.id) || world.uncertain.has(slot)) continue;
    const { name } = expected(slot, spec);
    const place = places.of(resource.id);
    const wanted = world.placeOf(spec, machine);
    const where = { slot, name, id: resource.id, at: place?.name, wanted: wanted?.name };
    // Tenants cannot be told apart without a request.
    const isThere = place !== undefined && place.emulator === wanted?.emulator;
    hold(isThere, "what is declared is where it belongs", where);
    const record = place.deployment(resource.id.toLowerCase());
    hold(record?.deletion === undefined && record?.name === name, "what is declared exists", {
      where,
      record,
    });
  }
}

/** What is declared is what the service has, unless someone else has changed it since. */
export function holdDone(world: World, slot: number, spec: Spec): void {
  const resource = world.resourceOf(slot);
  const record = resource && world.places.record(resource.id);
  hold(resource !== undefined && record !== undefined, "what is done is there", { slot });
  const { made, changed } = world.outOfBand;
  const isPure = ![world.uncounted, made, changed].some((ids) => ids.has(record.id));
  const shown = {
    ...record,
    ...(world.hasHiddenSecrets && changed.has(record.id) && { secrets: undefined }),
  };
  const isChanged = changed.has(record.id);
  const isAsDeclared = isAsExpected(shown, slot, spec, isPure, isChanged);
  hold(isAsDeclared || world.raced.has(record.id), "the service has what is declared", { spec, record });
  const memory = memoryOf(resource.state);
  const generation = Number(resource.state["generation"]);
  const isAwaited = spec.skipAwait !== true;
  hold(!isAwaited || !("rollout" in memory), "what is done has no unfinished rollout", memory);
  hold(!resource.isBroken, "what is done is not marked as failed", { slot });
  // Rollouts that someone else started do not count.
  if (![world.unawaited, world.unknown, changed].some((ids) => ids.has(record.id))) holdRolledOut(record);
  if (isPure && !world.ambiguous.has(record.name)) {
    const { revisions } = record;
    // Sending the size after a creation makes one more revision, which `generation` does not count.
    const ofSize = world.places.dialect === "langsmith" ? 1 : 0;
    const isPromised = revisions.length >= generation && revisions.length <= generation + ofSize;
    hold(isPromised, "there are as many revisions as promised", {
      generation,
      revisions,
    });
  }
}

function holdRolledOut(record: DeploymentRecord): void {
  const { latest_revision_id: latest, active_revision_id: active, status } = record;
  hold(latest === active && status === "READY", "what is done is rolled out", record);
}
