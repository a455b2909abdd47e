/**
 * The engine, as far as a provider can tell: what it calls, in which order and side by side, and what it keeps of the
 * answers. As the real one does, it generates its steps one after the other, runs them beside that, stops at the first
 * failure, and deletes last.
 */
import { FailedCall, type Checked, type Held } from "../../../support/adapters";
import { Processes, type Process, type Start } from "./process";
import type { Program, Registration } from "./program";
import { Run, type Outcome } from "./run";
import { referenceOf, State, type Config, type Resource } from "./state";

export interface UpOptions {
  /** URNs: `--replace`. */
  readonly replace?: ReadonlySet<string>;
  /** `--refresh` */
  readonly refresh?: boolean;
  /** `--parallel` */
  readonly parallel?: number;
}

interface Replacement {
  readonly deletesFirst: boolean;
}

type Chain = (() => Promise<void>) | undefined;

const noProcess: Start = () => {
  throw new Error("no command is running");
};

export class Engine {
  readonly state = new State();
  #run = new Run(0);
  #processes = new Processes(noProcess);
  #isPreview = false;
  /** Deleted once already, and forgotten since it is replaced: the engine deletes them again at the end all the same. */
  #forgotten: Resource[] = [];

  constructor(
    /** Called once for each command. */
    private readonly start: Start,
    private readonly parallel: number,
  ) {}

  get isKilled(): boolean {
    return this.#run.isKilled;
  }

  /** How many provider processes the command has started. */
  get processes(): number {
    return this.#processes.started;
  }

  /** The engine's process ends: no result reaches it any more, and it writes nothing. */
  kill(): void {
    this.#run.kill();
  }

  /** `pulumi state taint` */
  taint(urn: string): void {
    const old = this.state.live(urn);
    if (old !== undefined) this.state.write([old, { ...old, isTainted: true }]);
  }

  async up(
    program: Program,
    { replace = new Set(), refresh = false, parallel }: UpOptions = {},
  ): Promise<Outcome[]> {
    return this.#command(async () => {
      if (refresh) await this.#refreshAll();
      if (this.#run.hasStopped) return;
      this.#registerProviders(program);
      const chains: Promise<void>[] = [];
      for (const registration of program.resources) {
        if (this.#run.hasStopped) break;
        const chain = await this.#chainFor(registration, replace);
        if (chain !== undefined) chains.push(this.#run.beside(chain));
      }
      await Promise.all(chains);
      if (this.#run.hasStopped) return;
      const { registered } = this.#run;
      await this.#deleteAll([
        ...this.#forgotten,
        ...this.state.resources.filter(({ urn, isReplaced }) => isReplaced || !registered.has(urn)),
      ]);
      if (!this.#run.hasStopped) this.state.dropProviders((urn) => program.providers.has(urn));
    }, parallel);
  }

  /** `up --target`, with nothing but the providers. */
  async configure(program: Pick<Program, "providers">): Promise<Outcome[]> {
    return this.#command(async () => this.#registerProviders(program));
  }

  /** `pulumi import` of a deployment with that id. */
  async import({ urn, provider, declared }: Registration, id: string, program: Program): Promise<Outcome[]> {
    return this.#command(async () => {
      this.#registerProviders(program);
      const own = this.state.providers.find((each) => each.urn === provider)!;
      const process = this.#processes.of(referenceOf(own), own.config);
      await this.#run.attempt(urn, "import", async () => {
        const { inputs, state } = (await process.read({ declared, id, inputs: {}, state: {} }))!;
        const imported = { urn, id, provider: referenceOf(own), declared, inputs, state };
        this.state.write([undefined, imported]);
      });
    });
  }

  /** What an `up` would do; nothing is done and nothing is written. */
  async preview(program: Program): Promise<Outcome[]> {
    this.#isPreview = true;
    return this.#command(async () => {
      for (const registration of program.resources) {
        if (!this.#run.hasStopped) await this.#chainFor(registration, new Set(), program);
      }
      const { registered } = this.#run;
      for (const { urn, isReplaced } of this.state.resources)
        if (isReplaced || !registered.has(urn)) this.#run.note(urn, "delete");
    }).finally(() => (this.#isPreview = false));
  }

  /** @param targets URNs; all, where it is left out */
  async destroy(targets?: ReadonlySet<string>): Promise<Outcome[]> {
    return this.#command(async () => {
      await this.#deleteAll(this.state.resources.filter(({ urn }) => targets?.has(urn) ?? true));
      if (!this.#run.hasStopped && targets === undefined) this.state.dropProviders(() => false);
    });
  }

  async refresh(): Promise<Outcome[]> {
    return this.#command(() => this.#refreshAll());
  }

  async #command(work: () => Promise<void>, parallel = this.parallel): Promise<Outcome[]> {
    this.#run = new Run(parallel);
    this.#forgotten = [];
    // Each command of the engine has provider processes of its own.
    this.#processes = new Processes(this.start);
    await work();
    return this.#run.outcomes;
  }

  /** A provider keeps its id, and so its resources, when its configuration changes. */
  #registerProviders({ providers }: Pick<Program, "providers">): void {
    for (const [urn, config] of providers) {
      const old = this.state.providers.find((each) => each.urn === urn);
      this.state.writeProvider({ urn, id: old?.id ?? `id-of-${urn.split("::").at(-1)}`, config });
    }
  }

  #processOf(resource: Resource): Process {
    const provider = this.state.provider(resource.provider);
    if (provider === undefined) throw new Error(`could not find provider ${resource.provider}`);
    return this.#processes.of(resource.provider, provider.config);
  }

  /** The steps for one registration, of which the later ones begin only if the earlier ones ended well. */
  async #chainFor(
    registration: Registration,
    replace: ReadonlySet<string>,
    preview?: Program,
  ): Promise<Chain> {
    const { urn } = registration;
    const old = [urn, ...registration.aliases]
      .map((each) => this.state.live(each))
      .find((each) => each !== undefined);
    this.#run.registered.add(urn);
    if (old !== undefined) this.#run.registered.add(old.urn);
    const id = this.state.providers.find((each) => each.urn === registration.provider)?.id ?? "new";
    const config = (preview?.providers ?? new Map()).get(registration.provider);
    const reference = referenceOf({ urn: registration.provider, id, config: {} });
    const process = this.#processes.of(reference, config ?? this.state.provider(reference)!.config);
    const movedFrom =
      old && old.provider !== reference ? this.state.provider(old.provider)?.config : undefined;
    const step = new Generator(process, registration, old, reference, replace.has(urn), movedFrom);
    const plan = await this.#planned(step);
    if (plan === undefined || this.#isPreview) return void (plan && this.#run.note(urn, plan.operation));
    switch (plan.operation) {
      case "same":
        if (!this.isKilled) this.state.write([old, step.resource({ ...old!, ...plan.checked })]);
        return void this.#run.note(urn, "same");
      case "create":
        return () => this.#create(step, plan.checked);
      case "update":
        return () => this.#update(step, old!, plan.checked);
      case "replace":
        return () => this.#replace(step, old!, plan.checked, plan);
    }
  }

  async #planned(step: Generator): Promise<Plan | undefined> {
    try {
      return await step.plan();
    } catch (error) {
      this.#run.note(step.registration.urn, step.stage, error as Error);
      return undefined;
    }
  }

  /** Writes what an operation has made, also of one that failed halfway. */
  async #make(
    step: Generator,
    operation: "create" | "update",
    make: () => Promise<Held>,
    write: (made: Resource) => void,
  ): Promise<void> {
    await this.#run.attempt(step.registration.urn, operation, async () => {
      const { held, failure } = await endOf(make());
      if (this.isKilled) return;
      write(step.resource(held, failure));
      if (failure) throw failure;
    });
  }

  async #create(step: Generator, checked: Checked, old?: Resource): Promise<void> {
    const write = (made: Resource) => this.state.write([old, undefined], [undefined, made]);
    await this.#make(step, "create", () => step.process.create(checked), write);
  }

  async #update(step: Generator, old: Resource, checked: Checked): Promise<void> {
    const write = (made: Resource) => this.state.write([old, made]);
    await this.#make(step, "update", () => step.process.update(old, checked), write);
  }

  async #replace(
    step: Generator,
    old: Resource,
    checked: Checked,
    { deletesFirst }: Replacement,
  ): Promise<void> {
    if (!deletesFirst) {
      return this.#make(
        step,
        "create",
        () => step.process.create(checked),
        (made) => {
          const replaced = { ...old, isReplaced: true, isTainted: false };
          if (old.isHalfReplaced) this.#forgotten.push(old);
          this.state.write([old, old.isHalfReplaced ? undefined : replaced], [undefined, made]);
        },
      );
    }
    let half = old;
    if (!old.isHalfReplaced) {
      const isDeleted = await this.#run.attempt(old.urn, "delete", async () => {
        await this.#processOf(old).delete(old);
        if (this.isKilled) return;
        half = { ...old, isHalfReplaced: true };
        this.state.write([old, half]);
      });
      if (!isDeleted || this.#run.hasStopped) return;
    }
    await this.#create(step, checked, half);
  }

  async #deleteAll(resources: readonly Resource[]): Promise<void> {
    await Promise.all(resources.map((each) => this.#run.beside(() => this.#delete(each))));
  }

  async #delete(resource: Resource): Promise<void> {
    // What is deleted already is only forgotten.
    if (resource.isHalfReplaced && !this.#forgotten.includes(resource))
      return this.state.write([resource, undefined]);
    await this.#run.attempt(resource.urn, "delete", async () => {
      await this.#processOf(resource).delete(resource);
      if (!this.isKilled) this.state.write([resource, undefined]);
    });
  }

  /** Reads all of them, whatever becomes of the others, and writes the results at the end. */
  async #refreshAll(): Promise<void> {
    const changes: [Resource, Resource | undefined][] = [];
    const reads = this.state.resources
      .filter(({ isHalfReplaced }) => !isHalfReplaced)
      .map((old) =>
        this.#run.beside(
          () =>
            this.#run
              .attempt(old.urn, "refresh", async () => void changes.push([old, await this.#refreshed(old)]))
              .then(() => undefined),
          () => !this.isKilled,
        ),
      );
    await Promise.all(reads);
    if (!this.isKilled) this.state.write(...changes);
  }

  async #refreshed(old: Resource): Promise<Resource | undefined> {
    const process = this.#processOf(old);
    const found = await process.read(old);
    if (found === undefined) return undefined;
    // The engine compares the other way round to show what has changed.
    await process.diff(found, { declared: found.declared, inputs: old.inputs, failures: [] });
    return { ...old, ...found, isBroken: false };
  }
}

/** An operation that failed may have left a resource that is not as it should be. */
function endOf(call: Promise<Held>): Promise<{ readonly held: Held; readonly failure?: FailedCall }> {
  return call.then(
    (held) => ({ held }),
    (error: unknown) => {
      if (error instanceof FailedCall && error.held !== undefined)
        return { held: error.held, failure: error };
      throw error;
    },
  );
}

type Plan = { readonly checked: Checked } & (
  { readonly operation: "same" | "create" | "update" } | ({ readonly operation: "replace" } & Replacement)
);

/** Decides what is to be done for one registration, in the order of the engine's calls. */
class Generator {
  stage: "check" | "diff" = "check";

  constructor(
    readonly process: Process,
    readonly registration: Registration,
    readonly old: Resource | undefined,
    private readonly reference: string,
    private readonly isReplaceTarget: boolean,
    private readonly movedFrom: Config | undefined,
  ) {}

  async plan(): Promise<Plan> {
    const { process, old, registration } = this;
    const { declared, deleteBeforeReplace } = registration;
    const isTarget = old !== undefined && (this.isReplaceTarget || old.isTainted === true);
    const checked = await this.#check(isTarget ? undefined : old);
    if (old === undefined) return { operation: "create", checked };
    // A replacement that someone asked for is not compared, and what the provider would say of its order is not heard.
    if (isTarget) return { operation: "replace", checked, deletesFirst: deleteBeforeReplace ?? false };

    this.stage = "diff";
    const isMoved = this.movedFrom !== undefined && process.isMoved?.(this.movedFrom) === true;
    // What moves is replaced without a comparison.
    const diff = isMoved
      ? { isChanged: true, changed: [], replaces: ["provider"], deleteBeforeReplace: false }
      : await process.diff(old, checked);
    const { replaceOnChanges = [] } = declared;
    const asked = diff.changed.filter((name) =>
      replaceOnChanges.some((each) => each === "*" || name.startsWith(each)),
    );
    if ((diff.isChanged && diff.replaces.length + asked.length > 0) || old.isHalfReplaced) {
      this.stage = "check";
      const deletesFirst = deleteBeforeReplace ?? diff.deleteBeforeReplace;
      return { operation: "replace", checked: await this.#check(undefined), deletesFirst };
    }
    return { operation: diff.isChanged || old.isBroken ? "update" : "same", checked };
  }

  async #check(old: Resource | undefined): Promise<Checked> {
    const checked = await this.process.check(this.registration.declared, old);
    const { failures } = checked;
    if (failures.length === 0) return checked;
    throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
  }

  resource({ declared, id, inputs, state }: Held, failure?: FailedCall): Resource {
    const { urn } = this.registration;
    const isBroken = failure !== undefined;
    return { urn, id, provider: this.reference, declared, inputs, state, isBroken };
  }
}
