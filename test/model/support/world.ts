/** A stack, its services, and what the model knows about both. */
import type { DeploymentRecord, How, Rollout, ShownSecrets } from "../../../emulator";
import { FailedCall } from "../../support/adapters";
import type { FakeEngine } from "../../support/provider-process/fake-engine";
import { chanceOf } from "./chance";
import { Engine, type UpOptions } from "./engine/engine";
import type { Start } from "./engine/process";
import type { Program } from "./engine/program";
import type { Outcome } from "./engine/run";
import type { Config, Resource } from "./engine/state";
import { cutAfter, cutBefore, injectFailures } from "./failures";
import { clock } from "./idle-clock";
import { OutOfBand } from "./out-of-band";
import { ownConnection, type Address, type Dialect, type Place, type Places } from "./places";
import {
  nameOf,
  providerNames,
  providerUrn,
  registrationOf,
  size,
  urnOf,
  urnsOf,
  type ProviderName,
  type Spec,
} from "./program";

export interface Chances {
  readonly seed: number;
  /** The share of requests that fail. */
  readonly failures: number;
  /** The share of requests during which someone else does something. */
  readonly outOfBand: number;
  /** Whether all rollouts succeed, or some fail or hang. */
  readonly rollouts: "good" | "mixed";
  /** The engine is killed at its n-th request: before the service does its work, or before the response arrives. */
  readonly kill?: { readonly request: number; readonly isDone: boolean };
  /** At this request someone adds a secret to all deployments. */
  readonly adds?: number;
  /** What becomes of every request with this method. */
  readonly fault?: { readonly method: string; readonly how: How };
}

export const calm: Chances = { seed: 0, failures: 0, outOfBand: 0, rollouts: "good" };

/** Settings of the machine and of the program's providers. By default, all are right. */
export interface Machine {
  readonly address?: Address;
  readonly isOtherTenant?: true;
  readonly dialect?: Dialect;
  /** The key in the arguments of the provider `us`. */
  readonly us?: "key of another tenant";
  /** The address in the arguments of the provider `eu`. */
  readonly eu?: Address;
}

export type Command =
  | ({ readonly do: "up" } & UpOptions)
  | { readonly do: "refresh" }
  | { readonly do: "import"; readonly slot: number; readonly id: string }
  | { readonly do: "destroy"; readonly targets?: ReadonlySet<string> }
  /** `up --target` with nothing but the providers. */
  | { readonly do: "configure" };

/** One command, with its outcomes. */
export interface Ran {
  readonly command: Command;
  readonly outcomes: readonly Outcome[];
  readonly isKilled: boolean;
  readonly isGreen: boolean;
  /** What the state held before it. */
  readonly before: readonly Resource[];
  readonly machine: Machine;
}

/** Low, so that a few deployments already exceed it. */
export const maxConcurrency = 2;

export class World {
  /** By slot. */
  readonly program = new Map<number, Spec>();
  readonly engine: Engine;
  readonly outOfBand: OutOfBand;
  /** Slots whose deployment the state may not know. */
  readonly uncertain = new Set<number>();
  /** Names of deployments whose creation was ambiguous or killed. */
  readonly ambiguous = new Set<string>();
  /** Ids of deployments whose revisions are not counted: after an ambiguous update, or an adoption. */
  readonly uncounted = new Set<string>();
  /** Ids of deployments with a revision of a killed or ambiguous update, which the program may no longer declare. */
  readonly unknown = new Set<string>();
  /** Ids of deployments that once had `skipAwait`. */
  readonly unawaited = new Set<string>();
  /** Ids of deployments that someone changed during an update, which looks like a normalization by the service. */
  readonly raced = new Set<string>();
  /** Ids that the stack has asked to delete. */
  readonly deleted = new Set<string>();
  /** Deployments as they were when the state first held them, by id. */
  readonly firstSeen = new Map<string, DeploymentRecord & { readonly place: Place }>();
  commands = 0;
  #endFailures = (): void => undefined;

  constructor(
    readonly places: Places,
    readonly engineSide: FakeEngine,
    private readonly secrets: ShownSecrets,
    /** Whether the stack's configuration holds the address, or else the environment. */
    private readonly isConfigured: boolean,
    start: Start,
  ) {
    places.reset(secrets);
    this.engine = new Engine(start, 8);
    const slots = Array.from({ length: size }, (_, slot) =>
      [0, 1].map((edition) => nameOf(slot, { edition })),
    );
    this.outOfBand = new OutOfBand(places, slots.flat());
  }

  /** Runs one command with these chances. */
  async run(command: Command, chances: Chances, machine: Machine = {}): Promise<Ran> {
    this.#prepare(chances, machine);
    const before = this.engine.state.resources;
    this.outOfBand.touched.clear();
    const outcomes = await this.#start(command, machine);
    this.commands++;
    for (const { method, path } of this.places.emulators.flatMap((emulator) => emulator.requests())) {
      if (method === "DELETE") this.deleted.add(path.split("/").at(-1)!.toLowerCase());
    }
    for (const outcome of outcomes) this.#note(outcome);
    for (const { urn, operation } of outcomes) {
      const id = this.engine.state.live(urn)?.id ?? "";
      const isWritten = operation === "create" || operation === "update";
      if (isWritten && this.outOfBand.touched.has(id)) this.raced.add(id);
    }
    for (const { id } of this.engine.state.held) this.#see(id);
    const isKilled = this.engine.isKilled;
    const isGreen = !isKilled && outcomes.every(({ error }) => error === undefined);
    return { command, outcomes, isKilled, isGreen, before, machine };
  }

  async preview(machine: Machine = {}): Promise<Outcome[]> {
    this.#prepare(calm, machine);
    return this.engine.preview(this.#program(machine));
  }

  get hasHiddenSecrets(): boolean {
    return this.secrets !== "clear";
  }

  slotOf(urn: string): number | undefined {
    return [...this.program].find(([slot, spec]) => urnOf(slot, spec) === urn)?.[0];
  }

  resourceOf(slot: number): Resource | undefined {
    const spec = this.program.get(slot);
    return spec && this.engine.state.live(urnOf(slot, spec));
  }

  /** Where a deployment belongs. */
  placeOf(
    { provider }: Pick<Spec, "provider">,
    { address = "us", isOtherTenant, eu = "eu" }: Machine,
  ): Place | undefined {
    const { places } = this;
    const key = isOtherTenant ? places.other.apiKey : places.us.apiKey;
    if (provider === undefined) return places.at(places.url(address), key);
    return provider === "us" ? places.us : places.at(places.url(eu), places.eu.apiKey);
  }

  #program(machine: Machine): Program {
    const slots = [...this.program].sort(([a], [b]) => a - b);
    const used = new Set(slots.map(([, { provider }]) => provider));
    return {
      providers: new Map([...used].map((name) => [providerUrn(name), this.#configOf(name, machine)])),
      resources: slots.map(([slot, spec]) => registrationOf(slot, spec)),
    };
  }

  #configOf(name: ProviderName | undefined, { address = "us", us, eu = "eu" }: Machine): Config {
    const { places } = this;
    if (name === "us")
      return ownConnection(name, places.url("us"), us === undefined ? places.us.apiKey : places.other.apiKey);
    if (name === "eu") return ownConnection(name, places.url(eu), places.eu.apiKey);
    return this.isConfigured ? { "deployment-service:baseUrl": places.url(address) } : {};
  }

  #prepare({ seed, failures, outOfBand, rollouts, kill, adds, fault }: Chances, machine: Machine): void {
    clock.seed(seed);
    // The engine takes seconds to start, so results of earlier commands are older.
    clock.pass(5_000);
    this.#endFailures();
    this.engineSide.messages.length = 0;
    setEnvironment(this.places, machine);
    let count = 0;
    const before = () => {
      if (this.engine.isKilled) return cutBefore;
      const chance = chanceOf(seed, `out of band ${++count}`);
      if (chance.next() < outOfBand) this.outOfBand.act(chance);
      if (count === adds) this.outOfBand.addSecrets();
      if (count !== kill?.request) return undefined;
      this.engine.kill();
      return kill.isDone ? cutAfter : cutBefore;
    };
    const ends = this.places.emulators.map((emulator) => {
      emulator.clearRequests();
      emulator.configure({
        rollout: ({ name, revision }) =>
          rollouts === "good" ? { polls: 1 } : chanceOf(seed, `${name} ${revision}`).of(mixed),
        deletion: ({ name }) => ({ polls: Math.floor(chanceOf(seed, `${name} deletion`).next() * 3) }),
      });
      // The first one planned is the one that happens.
      const planned =
        fault && emulator.fail({ when: { method: fault.method }, how: fault.how, times: "always" });
      const end = injectFailures(emulator, { seed, rate: failures, before });
      return () => {
        planned?.cancel();
        end();
      };
    });
    this.#endFailures = () => ends.forEach((end) => end());
  }

  #start(command: Command, machine: Machine): Promise<Outcome[]> {
    switch (command.do) {
      case "up":
        return this.engine.up(this.#program(machine), command);
      case "refresh":
        return this.engine.refresh();
      case "import": {
        const registration = registrationOf(command.slot, this.program.get(command.slot)!);
        return this.engine.import(registration, command.id, this.#program(machine));
      }
      case "destroy":
        return this.engine.destroy(command.targets);
      case "configure":
        return this.engine.configure({
          providers: new Map(
            [undefined, ...providerNames].map((name) => [providerUrn(name), this.#configOf(name, machine)]),
          ),
        });
    }
  }

  /** Under its former URN, where what was to be done under the new one has not ended. */
  #heldBy(urn: string, slot: number | undefined): Resource | undefined {
    const { state } = this.engine;
    const former = slot === undefined ? [] : urnsOf(slot);
    return [urn, ...former].map((each) => state.live(each)).find((each) => each !== undefined);
  }

  #see(id: string): void {
    const place = this.places.of(id);
    const record = place?.deployment(id.toLowerCase());
    if (place !== undefined && record !== undefined && !this.firstSeen.has(id))
      this.firstSeen.set(id, { ...record, place });
  }

  #note({ urn, operation, error, isKilled = false }: Outcome): void {
    const slot = this.slotOf(urn);
    const resource = this.#heldBy(urn, slot);
    const spec = slot === undefined ? undefined : this.program.get(slot);
    if (slot === undefined || spec === undefined) return;
    if (spec.skipAwait && resource !== undefined) this.unawaited.add(resource.id);
    const isMade = error instanceof FailedCall && error.held !== undefined;
    const isOpen = isKilled || (error !== undefined && !isMade);
    if (operation === "refresh" && !isOpen) this.uncertain.delete(slot);
    if ((operation === "update" || operation === "delete") && isOpen) {
      this.uncertain.add(slot);
      if (resource !== undefined) for (const ids of [this.uncounted, this.unknown]) ids.add(resource.id);
    }
    if (operation === "create") {
      const saysSo = /is not known|adopt: true/.test(error?.message ?? "");
      if (isKilled || saysSo) this.ambiguous.add(nameOf(slot, spec));
      if (spec.adopt && resource !== undefined) this.uncounted.add(resource.id);
    }
  }
}

function setEnvironment(
  places: Places,
  { address = "us", isOtherTenant, dialect = places.dialect }: Machine,
): void {
  const environment = {
    URL: places.url(address),
    API_KEY: isOtherTenant ? places.other.apiKey : places.us.apiKey,
    DIALECT: dialect,
    MAX_CONCURRENCY: String(maxConcurrency),
    REQUEST_TIMEOUT: "250ms",
    POLL_INTERVAL: "2s",
  };
  for (const [name, value] of Object.entries(environment)) process.env[`DEPLOYMENT_SERVICE_${name}`] = value;
}

/** How a rollout may go. */
const mixed: readonly Rollout[] = [
  { polls: 0 },
  { polls: 1 },
  { polls: 1 },
  { polls: 3 },
  ["AWAITING_DATABASE", "UNKNOWN", "READY", "READY"],
  ["READY", "READY", "READY"],
  ["UNKNOWN", "SOMETHING_NEW", "READY"],
  { polls: 2, fails: true },
  "never",
];
