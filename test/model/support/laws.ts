/** Laws that hold after every command, whatever failed. */
import { othersSecret } from "./out-of-band";
import type { LoggedRequest } from "../../../emulator";
import type { Outcome } from "./engine/run";
import type { Resource } from "./engine/state";
import { nameOf, secretMark, urnOf, type Spec } from "./program";
import { inClear } from "../../support/secret-marks";
import { maxConcurrency, type Machine, type Ran, type World } from "./world";

export class Broken extends Error {}

export function hold(condition: boolean, law: string, evidence: unknown): asserts condition {
  if (!condition) throw new Broken(`${law}: ${JSON.stringify(evidence, null, 1)}`);
}

export function holdAlways(world: World, ran: Ran): void {
  nothingIsLost(world, ran);
  nothingIsForgotten(world);
  deletionsAreAskedFor(world, ran);
  othersAreLeftAlone(world, ran);
  othersSecretsAreKept(world);
  requestsAreCareful(world);
  errorsHelp(ran.outcomes);
  secretsAreSecret(world, ran.outcomes);
  generationsNeverCountBackwards(world, ran);
}

/** A deployment that left the state no longer exists. */
function nothingIsLost(world: World, { before, command, machine }: Ran): void {
  const { engine, places } = world;
  const held = new Set(engine.state.held.map(({ id }) => id.toLowerCase()));
  for (const { id, urn, state, isHalfReplaced } of before) {
    if (isHalfReplaced || held.has(id.toLowerCase())) continue;
    const record = places.record(id);
    // A refresh forgets what is being deleted.
    const isGone = record === undefined || (command.do !== "destroy" && record.deletion !== undefined);
    if (isToldFalsely(world, id, machine)) world.ambiguous.add(String(state["name"]));
    else hold(isGone, "what leaves the state has left the service", { id, urn, place: places.of(id)?.name });
  }
}

/** A wrong response reports a deletion, and the key cannot see the deployment, so this cannot be known. */
function isToldFalsely(world: World, id: string, { isOtherTenant, us }: Machine): boolean {
  const isOtherKey = isOtherTenant === true || us !== undefined;
  const isHidden = isOtherKey || world.places.of(id) === world.places.other;
  const deletions = requestsOf(world, "DELETE").filter((each) => idOf(each) === id.toLowerCase());
  return isHidden && deletions.some(({ status }) => status === 200);
}

/** What is there is in the state, and the other way round. */
function nothingIsForgotten(world: World): void {
  const { engine, places, outOfBand, ambiguous, deleted } = world;
  const { held } = engine.state;
  for (const { id, state } of held) {
    const isExplained = outOfBand.removed.has(id) || deleted.has(id);
    const isThere = places.record(id) !== undefined;
    hold(isThere || isExplained, "what the state holds is on the service", { id, name: state["name"] });
  }
  for (const place of places.all) {
    const records = place.deployments();
    for (const { id, name, deletion } of records) {
      // A refresh forgets what is being deleted.
      const isKnown = deletion !== undefined || held.some((resource) => resource.id.toLowerCase() === id);
      const isExplained = outOfBand.made.has(id) || ambiguous.has(name);
      const law = "what the stack made is in the state, or the error says so";
      hold(isKnown || isExplained, law, { id, name, place: place.name });
    }
    const names = records.map(({ name }) => name);
    hold(new Set(names).size === names.length, "no two deployments have one name", names);
  }
  // A resource that left the program may still have a deployment that another resource adopted.
  const declared = held.filter(({ urn, isReplaced }) => !isReplaced && world.slotOf(urn) !== undefined);
  const ids = declared.map(({ id }) => id.toLowerCase());
  hold(new Set(ids).size === ids.length, "no two resources hold one deployment", ids);
}

/** Only what the program does not declare any more, or wants to be another one, is deleted. */
function deletionsAreAskedFor(world: World, { command, before, isKilled }: Ran): void {
  if (command.do === "destroy") return;
  const sent = requestsOf(world, "DELETE").map(idOf);
  for (const id of new Set(sent)) {
    const held = before.filter((each) => each.id.toLowerCase() === id);
    const evidence = { id, held: held.map(({ urn, isReplaced }) => ({ urn, isReplaced })) };
    hold(
      command.do === "up" && held.length > 0,
      "only an up deletes, and only what the state held",
      evidence,
    );
    const now = world.engine.state.held.find((each) => each.id.toLowerCase() === id && !each.isReplaced);
    const slot = now && world.slotOf(now.urn);
    const spec = slot === undefined ? undefined : world.program.get(slot);
    const isToBeReplaced =
      spec !== undefined &&
      slot !== undefined &&
      isReplacementAsked(world, now!, slot, spec, command.replace);
    if (slot === undefined || spec === undefined || isToBeReplaced) continue;
    const isDeclared = isKilled ? held.every(({ urn }) => urn === urnOf(slot, spec)) : true;
    hold(!isDeclared, "what the program declares is not deleted", { ...evidence, spec, urn: now?.urn });
  }
}

function isReplacementAsked(
  world: World,
  resource: Resource,
  slot: number,
  spec: Spec,
  replace: ReadonlySet<string> = new Set(),
): boolean {
  const first = world.firstSeen.get(resource.id);
  const { urn } = resource;
  return (
    first === undefined ||
    first.name !== nameOf(slot, spec) ||
    first.source !== spec.source ||
    (first.source_config["deployment_type"] ?? "prod") !== (spec.tier ?? "prod") ||
    first.place !== world.placeOf(spec, {}) ||
    replace.has(urn) ||
    resource.isTainted === true ||
    spec.replacesOnRevision === true
  );
}

/** Deployments outside of the stack are neither changed nor deleted. */
function othersAreLeftAlone(world: World, { before }: Ran): void {
  const held = [...before, ...world.engine.state.resources];
  const known = new Set(held.map(({ id }) => id.toLowerCase()));
  const adopted = new Set(
    [...world.program].flatMap(([slot, spec]) => (spec.adopt ? [nameOf(slot, spec)] : [])),
  );
  // What a creation does not take follows it, before the state holds it.
  const created = new Set(requestsOf(world, "POST").map(({ body }) => (body as { name?: string }).name));
  for (const request of [...requestsOf(world, "PATCH"), ...requestsOf(world, "DELETE")]) {
    const id = idOf(request);
    const name = world.places.record(id)?.name ?? "";
    const isMeant = known.has(id) || (request.method === "PATCH" && (adopted.has(name) || created.has(name)));
    hold(isMeant, "what the program never declared is untouched", { id, name, method: request.method });
  }
}

/** Between the read that an update decides on and its PATCH, in milliseconds. Longer if the service asked it to slow down. */
const mostAge = 1_500;

/** An update sends along what others have added before it began. */
function othersSecretsAreKept(world: World): void {
  const { places, outOfBand, hasHiddenSecrets } = world;
  for (const [id, { name, at }] of outOfBand.added) {
    const record = places.record(id);
    if (record?.secrets.some((each) => each.name === name && each.value === othersSecret)) continue;
    outOfBand.added.delete(id);
    // A secret that is hidden is lost by what the advice says.
    if (record === undefined || record.deletion !== undefined || hasHiddenSecrets) continue;
    const [patch] = requestsOf(world, "PATCH").filter(
      (each) => idOf(each) === id && "secrets" in (each.body as object),
    );
    const isSlowedDown = places.emulators.some(({ requests }) =>
      requests().some(({ status }) => status === 429 || status === 503),
    );
    const isRaced = patch !== undefined && patch.at - at < mostAge;
    hold(isRaced || isSlowedDown, "what others added is kept", { id, name, at, patch });
  }
}

function requestsOf({ places }: World, method: string): LoggedRequest[] {
  return places.emulators.flatMap(({ requests }) => requests().filter((each) => each.method === method));
}

const idOf = ({ path }: LoggedRequest): string => path.split("/").at(-1)!.toLowerCase();

/** A POST after a response that leaves it open whether it was done comes only after a lookup that found nothing. */
function requestsAreCareful({ places, engine }: World): void {
  for (const emulator of places.emulators) {
    const open = new Set<string>();
    for (const { method, query, body, status } of emulator.requests()) {
      if (method === "GET" && status === 200 && query["name_contains"] !== undefined)
        open.delete(query["name_contains"]);
      if (method !== "POST") continue;
      const { name } = body as { name: string };
      hold(!open.has(name), "a POST is never repeated blindly", emulator.requestLines());
      if (status !== 429 && status !== 503 && status !== 409) open.add(name);
    }
    const allowed = maxConcurrency * Math.max(1, engine.processes);
    const { peakInFlight } = emulator;
    hold(peakInFlight <= allowed, `a process has ${maxConcurrency} requests under way at most`, peakInFlight);
  }
}

function errorsHelp(outcomes: readonly Outcome[]): void {
  for (const { operation, error } of outcomes) {
    if (error === undefined || operation === "check") continue;
    const { message } = error;
    hold(/app\d-e\d|[0-9a-f-]{36}/.test(message), "an error mentions the deployment", message);
    hold(message.includes(operation), "an error mentions the operation", message);
    const [sentences = ""] = message.split(/\n(?=The last lines of|Fix the cause|After a failure)/);
    const isForPeople = !/\p{Cc}|\bat .*\.ts|undefined|\[object|ZodError|TypeError/u.test(sentences);
    hold(isForPeople, "an error is for people", message);
  }
}

function secretsAreSecret({ engine, engineSide }: World, outcomes: readonly Outcome[]): void {
  const texts = [
    ...engine.state.resources.map((each) =>
      JSON.stringify(inClear({ inputs: each.inputs, state: each.state })),
    ),
    ...outcomes.flatMap(({ error }) => (error === undefined ? [] : [error.message, String(error.stack)])),
    ...engineSide.messages.map(({ text }) => text),
  ];
  for (const text of texts) hold(!text.includes(secretMark), "no secret is in plain text", text);
}

function generationsNeverCountBackwards({ engine }: World, { before }: Ran): void {
  const generationOf = ({ state }: Resource) => Number(state["generation"]);
  const generations = new Map(before.map((each) => [each.id, generationOf(each)]));
  for (const resource of engine.state.held) {
    const [old, now] = [generations.get(resource.id), generationOf(resource)];
    // What was adopted anew is counted anew.
    const isSame = before.some(
      ({ id, urn, isTainted }) => id === resource.id && urn === resource.urn && !isTainted,
    );
    hold(!isSame || old === undefined || now >= old, "a generation never counts backwards", {
      urn: resource.urn,
      old,
      now,
    });
  }
}
