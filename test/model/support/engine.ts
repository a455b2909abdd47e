/**
 * The engine, as far as a provider can tell: what it calls, in which order and side by side, and what it keeps of
 * the answers. As the real one does, it generates its steps one after the other and stops at the first failure.
 */
import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import { providerText } from "../../contract/support/resource";
import { open, passed, type Values } from "./wire";

export interface Resource {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** Its last operation ended with a resource that is not as it should be yet. */
  readonly isBroken: boolean;
}

export interface Outcome {
  readonly logical: string;
  readonly operation: "check" | "create" | "update" | "delete" | "refresh" | "same";
  readonly error?: Error;
  /** The command was killed before it ended. */
  readonly isKilled?: boolean;
}

export type Program = ReadonlyMap<string, Values>;

interface Failed extends Error {
  readonly id?: string;
  readonly properties?: Values;
}

export class Engine {
  readonly state = new Map<string, Resource>();
  /** Replaced resources that are still to be deleted. */
  readonly doomed: { logical: string; resource: Resource }[] = [];
  /** Deleted to be replaced, and not created again yet: their inputs. */
  readonly halfReplaced = new Map<string, Values>();
  #outcomes: Outcome[] = [];
  #isKilled = false;
  #free = 0;
  readonly #queue: (() => void)[] = [];

  constructor(
    private readonly provider: dynamic.ResourceProvider,
    private readonly parallel: number,
    /** Gets everything that comes back from the provider process. */
    private readonly witness: (result: Values) => void,
  ) {}

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Nothing that is under way is heard of any more. */
  kill(): void {
    this.#isKilled = true;
  }

  async up(program: Program): Promise<Outcome[]> {
    return this.#command(async () => {
      const running: Promise<void>[] = [];
      for (const [logical, args] of program) {
        if (this.#hasStopped()) break;
        const step = await this.#stepFor(logical, args);
        if (step !== undefined) running.push(this.#side(step));
      }
      await Promise.all(running);
      const left = [...this.state].filter(([logical]) => !program.has(logical));
      for (const logical of this.halfReplaced.keys()) {
        if (!program.has(logical)) this.halfReplaced.delete(logical);
      }
      await this.#deleteAll(left);
    });
  }

  async destroy(): Promise<Outcome[]> {
    return this.#command(() => this.#deleteAll([...this.state]));
  }

  async refresh(): Promise<Outcome[]> {
    return this.#command(async () => {
      const reads = [...this.state].map(([logical, resource]) =>
        this.#side(() => this.#read(logical, resource)),
      );
      await Promise.all(reads);
    });
  }

  async #command(work: () => Promise<void>): Promise<Outcome[]> {
    this.#outcomes = [];
    this.#isKilled = false;
    this.#free = this.parallel;
    await work();
    return this.#outcomes;
  }

  #hasStopped(): boolean {
    return this.#isKilled || this.#outcomes.some(({ error }) => error !== undefined);
  }

  /** Runs beside the others, as many at a time as the engine allows; not at all once something has failed. */
  async #side(step: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      if (!this.#hasStopped()) await step();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #stepFor(logical: string, args: Values): Promise<(() => Promise<void>) | undefined> {
    const old = this.state.get(logical);
    const inputs = await this.#check(logical, old?.inputs ?? this.halfReplaced.get(logical), args);
    if (inputs === undefined) return undefined;
    if (old === undefined) return () => this.#create(logical, inputs);

    const answer = await this.provider.diff!(old.id, passed(old.outputs), passed(inputs));
    const changes = answer.changes ?? !isDeepStrictEqual(old.inputs, inputs);
    if (changes && (answer.replaces ?? []).length > 0) {
      const fresh = await this.#check(logical, undefined, args);
      if (fresh === undefined) return undefined;
      return () => this.#replace(logical, old, fresh, answer.deleteBeforeReplace ?? false);
    }
    if (changes || old.isBroken) return () => this.#update(logical, old, inputs);
    this.state.set(logical, { ...old, inputs });
    this.#outcomes.push({ logical, operation: "same" });
    return undefined;
  }

  async #check(logical: string, olds: Values | undefined, args: Values): Promise<Values | undefined> {
    const { inputs, failures = [] } = await this.provider.check!(passed(olds ?? {}), passed(args));
    if (failures.length === 0) return passed({ ...(inputs as Values), __provider: providerText });
    const error = new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
    this.#outcomes.push({ logical, operation: "check", error });
    return undefined;
  }

  async #create(logical: string, inputs: Values): Promise<void> {
    await this.#try(logical, "create", async () => {
      const result = await this.provider.create(passed(inputs)).catch((error: Failed) => error);
      if (result instanceof Error) {
        const resource = this.#broken(result, inputs);
        if (resource !== undefined) this.#keep(logical, resource);
        throw result;
      }
      this.#keep(logical, this.#whole(result.id, inputs, result.outs as Values));
    });
  }

  async #update(logical: string, old: Resource, inputs: Values): Promise<void> {
    await this.#try(logical, "update", async () => {
      const update = this.provider.update!(old.id, passed(old.outputs), passed(inputs));
      const result = await update.catch((error: Failed) => error);
      if (result instanceof Error) {
        const resource = this.#broken(result, old.inputs);
        if (resource !== undefined) this.#keep(logical, resource);
        throw result;
      }
      this.#keep(logical, this.#whole(old.id, inputs, result.outs as Values));
    });
  }

  async #replace(logical: string, old: Resource, inputs: Values, deletesFirst: boolean): Promise<void> {
    if (deletesFirst) {
      const isGone = await this.#delete(logical, old, () => {
        this.state.delete(logical);
        this.halfReplaced.set(logical, old.inputs);
      });
      if (isGone && !this.#isKilled) await this.#create(logical, inputs);
      return;
    }
    await this.#create(logical, inputs);
    if (!this.#isKilled && this.state.get(logical) !== old) this.doomed.push({ logical, resource: old });
  }

  async #deleteAll(left: readonly [string, Resource][]): Promise<void> {
    const doomed = this.doomed.map((each) =>
      this.#side(async () => {
        await this.#delete(each.logical, each.resource, () => {
          this.doomed.splice(this.doomed.indexOf(each), 1);
        });
      }),
    );
    const others = left.map(([logical, resource]) =>
      this.#side(async () => {
        await this.#delete(logical, resource, () => void this.state.delete(logical));
      }),
    );
    await Promise.all([...doomed, ...others]);
  }

  #delete(logical: string, { id, outputs }: Resource, forget: () => void): Promise<boolean> {
    return this.#try(logical, "delete", async () => {
      await this.provider.delete!(id, passed(outputs));
      if (!this.#isKilled) forget();
    });
  }

  async #read(logical: string, { id, inputs, outputs }: Resource): Promise<void> {
    await this.#try(logical, "refresh", async () => {
      const { id: found, props = {}, ...more } = await this.provider.read!(id, passed(outputs));
      if (this.#isKilled) return;
      if (found === undefined || found === "") return void this.state.delete(logical);
      const now = "inputs" in more ? { ...(more.inputs as Values), __provider: providerText } : inputs;
      const read = this.#whole(found, now, props as Values);
      this.state.set(logical, read);
      // The engine compares the other way round to show what has changed.
      await this.provider.diff!(id, passed(read.outputs), passed(inputs));
    });
  }

  async #try(logical: string, operation: Outcome["operation"], work: () => Promise<void>): Promise<boolean> {
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    const isKilled = this.#isKilled;
    this.#outcomes.push({ logical, operation, ...(isKilled ? { isKilled } : error && { error }) });
    return !isKilled && error === undefined;
  }

  #keep(logical: string, resource: Resource): void {
    if (this.#isKilled) return;
    this.halfReplaced.delete(logical);
    this.state.set(logical, resource);
  }

  #whole(id: string, inputs: Values, outs: Values): Resource {
    const outputs = passed({ ...outs, __provider: providerText });
    this.witness(outputs);
    return { id, inputs: open(passed(inputs)), outputs: open(outputs), isBroken: false };
  }

  /** The resource that an error carries, with the inputs that the engine keeps then. */
  #broken({ id, properties }: Failed, inputs: Values): Resource | undefined {
    if (id === undefined || properties === undefined) return undefined;
    const outputs = passed(properties);
    this.witness(outputs);
    return { id, inputs, outputs: open(outputs), isBroken: true };
  }
}
