/** What holds after every step, whatever went wrong in it, and what holds of a resource that is said to be done. */
import { isDeepStrictEqual } from "node:util";
import type { DeploymentRecord } from "../../emulator";
import type { Outcome } from "./engine";
import { expected, secretMark, type Spec } from "./program";
import { inClear } from "./wire";
import type { World } from "./world";

export class Broken extends Error {}

function hold(condition: boolean, law: string, evidence: unknown): asserts condition {
  if (!condition) throw new Broken(`${law}: ${JSON.stringify(evidence, null, 1)}`);
}

/** Few, so that a handful of deployments already want more. */
export const maxConcurrency = 2;

/** The laws of every step. `generations` is what they were before it. */
export function holdAlways(
  world: World,
  outcomes: readonly Outcome[],
  generations: ReadonlyMap<string, number>,
): void {
  knowsAll(world);
  requestsAreCareful(world);
  errorsHelp(outcomes);
  secretsAreSecret(world, outcomes);
  for (const [logical, { id, outputs }] of world.engine.state) {
    const before = generations.get(id);
    const after = Number(outputs["generation"]);
    hold(before === undefined || after >= before, "a generation never goes down", { logical, before, after });
  }
}

function knowsAll({ emulator, engine, others, doubtful, deleted }: World): void {
  const held = [...engine.state.values(), ...engine.doomed.map(({ resource }) => resource)];
  const records = emulator.deployments();
  for (const { id, outputs } of held) {
    const isThere = records.some((record) => record.id === id);
    const isExplained = others.removed.has(id) || deleted.has(id);
    hold(isThere || isExplained, "what the state holds is on the service", { id, name: outputs["name"] });
  }
  for (const { id, name, deletion } of records) {
    // A refresh forgets what is being deleted.
    const isKnown = deletion !== undefined || held.some((resource) => resource.id === id);
    const isExplained = others.made.has(id) || doubtful.has(name);
    hold(isKnown || isExplained, "what the stack made is in the state, or the error says so", { id, name });
  }
  const names = records.map(({ name }) => name);
  hold(new Set(names).size === names.length, "no two deployments have one name", names);
  const ids = held.map(({ id }) => id);
  hold(new Set(ids).size === ids.length, "no two resources hold one deployment", ids);
}

/** A POST after an answer that leaves it open whether it was done comes only after a look that found nothing. */
function requestsAreCareful({ emulator }: World): void {
  const open = new Set<string>();
  for (const { method, query, body, status } of emulator.requests) {
    const isAnswered = status === 200;
    if (method === "GET" && isAnswered && query["name_contains"] !== undefined)
      open.delete(query["name_contains"]);
    if (method !== "POST") continue;
    const { name } = body as { name: string };
    hold(!open.has(name), "a POST is never repeated blindly", emulator.requestLines());
    if (status !== 429 && status !== 503 && status !== 409) open.add(name);
  }
  hold(
    emulator.peakInFlight <= maxConcurrency,
    `no more than ${maxConcurrency} requests are under way at a time`,
    emulator.peakInFlight,
  );
}

function errorsHelp(outcomes: readonly Outcome[]): void {
  for (const { logical, operation, error } of outcomes) {
    if (error === undefined || operation === "check") continue;
    const { message } = error;
    hold(message.includes(`${logical}-e`), "an error names the deployment", message);
    hold(message.includes(operation), "an error names the operation", message);
    hold(
      !/\n|\bat .*\.ts|undefined|\[object|ZodError|TypeError/.test(message),
      "an error is for people",
      message,
    );
  }
}

function secretsAreSecret({ results, engineSide }: World, outcomes: readonly Outcome[]): void {
  const texts = [
    ...results.map((result) => JSON.stringify(inClear(withoutInputs(result)))),
    ...outcomes.flatMap(({ error }) => (error === undefined ? [] : [error.message, String(error.stack)])),
    ...engineSide.messages.map(({ text }) => text),
  ];
  for (const text of texts) hold(!text.includes(secretMark), "no secret is in clear", text);
}

/** The engine itself marks what came from a secret input of the same name. */
function withoutInputs({ sourceConfig: _, ...outputs }: Readonly<Record<string, unknown>>): object {
  return outputs;
}

/** The laws of a resource of which the last `up` said that it is done, while nobody else did anything to it. */
export function holdDone(world: World, logical: string, spec: Spec): void {
  const resource = world.engine.state.get(logical);
  const record = world.recordOf(logical);
  hold(resource !== undefined && record !== undefined, "what is done is there", { logical });
  const { made, changed } = world.others;
  const isPure = ![world.uncounted, made, changed].some((ids) => ids.has(record.id));
  const shown = { ...record, ...(world.hidesSecrets && changed.has(record.id) && { secrets: undefined }) };
  hold(isAsExpected(shown, logical, spec, isPure), "the service has what is declared", { spec, record });
  const { __memory: memory, generation } = resource.outputs as { __memory: object; generation: number };
  hold(!("rollout" in memory), "what is done has no unfinished rollout", memory);
  hold(!resource.isBroken, "what is done is not marked as failed", { logical });
  // A rollout that others began is theirs, and what is adopted is not waited for unless it has never run.
  if (!world.unawaited.has(record.id) && !spec.adopt && !changed.has(record.id)) {
    const { latest_revision_id: latest, active_revision_id: active, status } = record;
    hold(latest === active && status === "READY", "what is done is rolled out", record);
  }
  if (isPure && !world.doubtful.has(record.name)) {
    const { revisions } = record;
    hold(revisions.length === generation, "there are as many revisions as promised", {
      generation,
      revisions,
    });
  }
}

/** What the service says where nothing is stored; declaring as much changes nothing. */
const defaults: Readonly<Record<string, unknown>> = { build_on_push: false, deployment_type: "prod" };

/** Others may have changed secrets that the service does not show: nobody knows of it then. */
type Shown = Omit<DeploymentRecord, "secrets"> & Partial<Pick<DeploymentRecord, "secrets">>;

/** @param isPure nobody but the program has ever given it a value */
function isAsExpected(record: Shown, logical: string, spec: Spec, isPure: boolean): boolean {
  const { name, source, config, size, tier, revision, secrets, reference } = expected(logical, spec);
  const stored = { ...defaults, ...record.source_config };
  const storedSize = (record.source_config["resource_spec"] ?? {}) as Record<string, unknown>;
  const storedSecrets =
    record.secrets && Object.fromEntries(record.secrets.map(({ name, value }) => [name, value]));
  const agree = (want: object, have: Record<string, unknown>) =>
    Object.entries(want).every(([key, value]) => {
      const now = have[key] ?? null;
      // What was never declared belongs to whoever has set it.
      return isDeepStrictEqual(now, value) || (value === null && (!isPure || now === defaults[key]));
    });
  return (
    record.name === name &&
    record.source === source &&
    agree(config, stored) &&
    agree(size, storedSize) &&
    (tier === null || stored["deployment_type"] === tier) &&
    agree(revision, record.source_revision_config) &&
    (storedSecrets === undefined || agree(secrets, storedSecrets)) &&
    (!isPure || isDeepStrictEqual(storedSecrets, secrets)) &&
    (reference === null || record.secret_references?.[0]?.secret_key === reference) &&
    (!isPure || reference !== null || (record.secret_references ?? []).length === 0)
  );
}
