/** Laws for a stack whose last `up` succeeded. */
import { isDeepStrictEqual } from "node:util";
import type { DeploymentRecord } from "../../../emulator";
import { memoryOf } from "../../support/provider-process";
import { hold } from "./laws";
import { deploymentTiers, expected, type Spec } from "./program";
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
  const memory = memoryOf(resource.outputs);
  const generation = Number(resource.outputs["generation"]);
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

/** The service's defaults. Declaring one changes nothing. */
const defaults: Readonly<Record<string, unknown>> = { build_on_push: false, deployment_type: "prod" };

/** Others may have changed secrets that the service does not show: nobody knows of it then. */
type Shown = Omit<DeploymentRecord, "secrets"> & Partial<Pick<DeploymentRecord, "secrets">>;

/**
 * @param isPure nobody but the program has ever given it a value
 * @param isChanged someone else has changed it, perhaps what can never be changed back
 */
function isAsExpected(record: Shown, slot: number, spec: Spec, isPure: boolean, isChanged: boolean): boolean {
  const { name, source, config, size, tier, once, revision, secrets, reference } = expected(slot, spec);
  const stored: Record<string, unknown> = { ...defaults, ...record.source_config };
  const storedSize = (record.source_config["resource_spec"] ?? {}) as Record<string, unknown>;
  const storedSecrets =
    record.secrets && Object.fromEntries(record.secrets.map(({ name, value }) => [name, value]));
  const agree = (want: object, have: Record<string, unknown>) =>
    Object.entries(want).every(([key, value]) => {
      const now = have[key] ?? null;
      // Values that were never declared belong to others.
      return isSame(now, value) || (value === null && (!isPure || now === defaults[key]));
    });
  return (
    record.name === name &&
    record.source === source &&
    agree(config, stored) &&
    agree(size, storedSize) &&
    (once.deployment_tier === null ||
      (record.tiers?.compute_tier ?? deploymentTiers[0]) === once.deployment_tier) &&
    (once.display_name === null || record.display_name === once.display_name) &&
    (tier === null || isChanged || stored["deployment_type"] === tier) &&
    agree(revision, record.source_revision_config) &&
    (storedSecrets === undefined || agree(secrets, storedSecrets)) &&
    (!isPure || isDeepStrictEqual(storedSecrets, secrets)) &&
    (reference === null || record.secret_references?.[0]?.secret_key === reference) &&
    (!isPure || reference !== null || (record.secret_references ?? []).length === 0)
  );
}

/** A UUID is the same in any letter case. */
function isSame(now: unknown, value: unknown): boolean {
  const isUuid = typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
  return isUuid && typeof now === "string" ? now.toLowerCase() === value : isDeepStrictEqual(now, value);
}
