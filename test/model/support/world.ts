/** A stack, the service it talks to, and what is known of both beside what they say themselves. */
import type { dynamic } from "@pulumi/pulumi";
import type { DeploymentRecord, Emulator, Rollout, SecretsAnswer } from "../../emulator";
import type { FakeEngine } from "../../contract/support/fake-engine";
import { chanceOf } from "./chance";
import { Engine, type Outcome, type Resource } from "./engine";
import { trouble } from "./faults";
import { clock } from "./idle-clock";
import { Others } from "./others";
import { logicalName, registered, serviceName, type Spec } from "./program";
import type { Values } from "./wire";

export interface Chances {
  readonly seed: number;
  /** The share of requests with a fault. */
  readonly faults: number;
  /** The share of requests during which somebody else does something. */
  readonly others: number;
  /** Whether rollouts may also fail, hang, or take strange ways. */
  readonly rollouts: "good" | "mixed";
  /** The command is killed at its n-th request. */
  readonly kill?: number;
}

export const calm: Chances = { seed: 0, faults: 0, others: 0, rollouts: "good" };

export class World {
  readonly program = new Map<string, Spec>();
  readonly engine: Engine;
  readonly others: Others;
  /** Everything that came back from the provider process. */
  readonly results: Values[] = [];
  /** Logical names of resources of which the state may not know what the service has. */
  readonly uncertain = new Set<string>();
  /** Names of deployments of creates that ended in doubt, said so or were killed. */
  readonly doubtful = new Set<string>();
  /** Ids of deployments whose revisions are not counted: after a doubtful update, an adoption, half a replacement. */
  readonly uncounted = new Set<string>();
  /** Ids of which the program once did not want to wait for a rollout. */
  readonly unawaited = new Set<string>();
  /** Ids that the stack has asked to delete. */
  readonly deleted = new Set<string>();
  #end = (): void => undefined;

  constructor(
    readonly emulator: Emulator,
    readonly engineSide: FakeEngine,
    private readonly provider: dynamic.ResourceProvider,
    size: number,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly secrets: SecretsAnswer,
  ) {
    emulator.reset();
    emulator.configure({ secrets });
    engineSide.messages.length = 0;
    this.engine = new Engine(provider, 8, (result) => this.results.push(result));
    const editions = Array.from({ length: size }, (_, at) =>
      [0, 1].map((edition) => `${logicalName(at)}-e${edition}`),
    );
    this.others = new Others(emulator, editions.flat());
  }

  /** Runs one command, with that much bad luck. */
  async run(command: "up" | "refresh" | "destroy", chances: Chances): Promise<Outcome[]> {
    this.#prepare(chances);
    // Each command of the engine has a provider process of its own.
    await this.provider.configure!({ config: { get: (key: string) => this.settings[key] } as never });
    const halfReplaced = [...this.engine.halfReplaced.keys()];
    const outcomes = await this.#start(command);
    for (const { method, path } of this.emulator.requests) {
      if (method === "DELETE") this.deleted.add(path.split("/").at(-1)!);
    }
    for (const outcome of outcomes) this.#note(outcome);
    // The engine hands over the inputs of what was replaced, and so the count of its revisions.
    for (const logical of halfReplaced) this.uncounted.add(this.engine.state.get(logical)?.id ?? "");
    return outcomes;
  }

  get hidesSecrets(): boolean {
    return this.secrets !== "clear";
  }

  /** The replaced deployment, still to be deleted, that holds the name which the program wants again. */
  doomedOf(logical: string): Resource | undefined {
    const spec = this.program.get(logical);
    const name = spec && serviceName(logical, spec);
    const holder = name === undefined ? undefined : this.emulator.deployment(name)?.id;
    return this.engine.doomed.find(({ resource }) => resource.id === holder)?.resource;
  }

  recordOf(logical: string): DeploymentRecord | undefined {
    const id = this.engine.state.get(logical)?.id;
    return id === undefined ? undefined : this.emulator.deployment(id);
  }

  #prepare({ seed, faults, others, rollouts, kill }: Chances): void {
    const { emulator, engine } = this;
    clock.seed(seed);
    this.#end();
    emulator.clearRequests();
    emulator.configure({
      rollout: ({ name, revision }) =>
        rollouts === "good" ? { looks: 1 } : chanceOf(seed, `${name} ${revision}`).of(ways),
      deletion: ({ name }) => ({ looks: Math.floor(chanceOf(seed, `${name} deletion`).next() * 3) }),
    });
    this.#end = trouble(emulator, {
      seed,
      rate: faults,
      before: (count) => {
        if (count === kill) engine.kill();
        const chance = chanceOf(seed, `others ${count}`);
        if (chance.next() < others) this.others.act(chance);
      },
      isCut: () => engine.isKilled,
    });
  }

  #start(command: "up" | "refresh" | "destroy"): Promise<Outcome[]> {
    if (command !== "up") return this.engine[command]();
    for (const [logical, { adopt, ...strict }] of this.program) {
      // To adopt what the engine is about to delete would lose it, and no provider can know.
      if (adopt && this.doomedOf(logical) !== undefined) this.program.set(logical, strict);
    }
    const program = [...this.program].map(([logical, spec]) => [logical, registered(logical, spec)] as const);
    return this.engine.up(new Map(program));
  }

  #note({ logical, operation, error, isKilled = false }: Outcome): void {
    const resource = this.engine.state.get(logical);
    const spec = this.program.get(logical);
    if (spec?.skipAwait && resource !== undefined) this.unawaited.add(resource.id);
    const isOpen = isKilled || (error !== undefined && !("id" in error));
    if (operation === "refresh" && !isOpen) this.uncertain.delete(logical);
    if ((operation === "update" || operation === "delete") && isOpen) {
      this.uncertain.add(logical);
      if (resource !== undefined) this.uncounted.add(resource.id);
    }
    if (operation === "create" && spec !== undefined) {
      const saysSo = /is not known|adopt: true/.test(error?.message ?? "");
      if (isKilled || saysSo) this.doubtful.add(serviceName(logical, spec));
      if (spec.adopt && resource !== undefined) this.uncounted.add(resource.id);
    }
  }
}

/** How a rollout may go. */
const ways: readonly Rollout[] = [
  { looks: 0 },
  { looks: 1 },
  { looks: 1 },
  { looks: 3 },
  ["AWAITING_DATABASE", "UNKNOWN", "READY", "READY"],
  ["READY", "READY", "READY"],
  ["UNKNOWN", "SOMETHING_NEW", "READY"],
  { looks: 2, fails: true },
  "never",
];
