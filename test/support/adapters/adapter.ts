/**
 * A provider as the engine knows it, whichever protocol it is driven by, in a process of its own or, in the model, in that of
 * the tests: values go in and come out with the marks of secrets, and what the engine keeps of a resource between two calls is
 * one thing.
 */
import type { Calls, Failure, ProviderCalls } from "../provider-process/calls";
import { CallError, type Values } from "../provider-process/grpc";

/** A resource as a program declares it. Secrets are marked as the engine marks them. */
export interface Declared {
  /** The logical name. */
  readonly name: string;
  readonly args: Values;
  /** `200ms` */
  readonly customTimeouts?: Readonly<Partial<Record<"create" | "update" | "delete", string>>> | undefined;
  /** The URN of its provider, or `default`. */
  readonly provider?: string;
  /** Names of arguments. */
  readonly replaceOnChanges?: readonly string[];
  /** Arguments that are secret although the program does not give them. */
  readonly secretPaths?: readonly (readonly string[])[];
}

export interface Checked {
  readonly declared: Declared;
  readonly inputs: Values;
  readonly failures: readonly Failure[];
}

/** A resource in the state. */
export interface Held {
  readonly declared: Declared;
  readonly id: string;
  readonly inputs: Values;
  readonly state: Values;
}

/** The result of a diff, as the engine understands it. */
export interface Difference {
  readonly isChanged: boolean;
  /** What the engine looks up in the option `replaceOnChanges`. */
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The error of a failed call, as the engine receives it. */
export class FailedCall extends Error {
  constructor(
    message: string,
    readonly reasons: readonly string[] = [],
    /** The resource that exists despite the failure, as the engine records it. */
    readonly held?: Held | undefined,
  ) {
    super(message);
  }
}

/** Turns the error of a call into one that has the resource as the engine would write it down. */
export function failing(held?: (id: string, properties: Values) => Held) {
  return (error: unknown): never => {
    if (!(error instanceof CallError)) throw error;
    const { message, partial } = error;
    throw new FailedCall(message, partial?.reasons, partial && held?.(partial.id, partial.properties));
  };
}

/** The calls for resources, with values in the form of the protocol. */
export type ResourceCalls = Pick<Calls, "urn" | "check" | "diff" | "create" | "update" | "read" | "delete">;

export abstract class Provider {
  protected constructor(protected readonly calls: ResourceCalls) {}

  /** In the model it has none. */
  get process(): ProviderCalls {
    return this.calls as ProviderCalls;
  }

  /** @param settings by their names, without the namespace */
  abstract configure(settings: Readonly<Record<string, string>>): Promise<void>;
  /** Failures of settings, as a preview with one resource reports them. */
  abstract settingsFailures(settings: Readonly<Record<string, string>>): Promise<readonly Failure[]>;
  abstract check(declared: Declared, old?: Held): Promise<Checked>;
  abstract diff(old: Held, checked: Checked): Promise<Difference>;
  /** Values as the calls take them. */
  protected abstract given(values: Values): Values;
  /** What the engine keeps of inputs and outputs that came back for these. */
  protected abstract keptInputs(inputs: Values, given: Values): Values;
  protected abstract keptState(outputs: Values, given: Values): Values;

  async create({ declared, inputs }: Checked): Promise<Held> {
    const held = (id: string, outputs: Values) => {
      return { declared, id, inputs, state: this.keptState(outputs, inputs) };
    };
    const timeout = secondsOf(declared, "create");
    const call = this.calls.create(declared.name, this.given(inputs), { timeout });
    return call.then(({ id, properties }) => held(id, properties), failing(held));
  }

  async update(old: Held, { declared, inputs }: Checked): Promise<Held> {
    const { id } = old;
    const held = (outputs: Values) => {
      return { declared, id, inputs, state: this.keptState(outputs, inputs) };
    };
    const more = { timeout: secondsOf(declared, "update"), oldInputs: this.given(old.inputs) };
    const call = this.calls.update(declared.name, id, this.given(old.state), this.given(inputs), more);
    // After a failure the engine keeps the old inputs.
    return call.then(
      held,
      failing((_, outputs) => ({ ...held(outputs), inputs: old.inputs })),
    );
  }

  /** Undefined if the resource no longer exists. */
  async read(old: Held): Promise<Held | undefined> {
    const { declared } = old;
    const call = this.calls.read(declared.name, old.id, this.given(old.state), this.given(old.inputs));
    const { id, properties, inputs } = await call.catch(failing());
    if (id === "") return undefined;
    const state = this.keptState(properties, old.state);
    return { declared, id, inputs: this.keptInputs(inputs, old.inputs), state };
  }

  async delete({ declared, id, state }: Held): Promise<void> {
    const timeout = secondsOf(declared, "delete");
    await this.calls.delete(declared.name, id, this.given(state), { timeout }).catch(failing());
  }

  urn(name: string): string {
    return this.calls.urn(name);
  }
}

/** 0 if the program sets none. */
function secondsOf({ customTimeouts }: Declared, operation: "create" | "update" | "delete"): number {
  const text = customTimeouts?.[operation];
  if (text === undefined) return 0;
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(text)!;
  return Number(amount) * { ms: 0.001, s: 1, m: 60 }[unit as "ms" | "s" | "m"];
}

export type AdapterName = "dynamic" | "packaged";

export interface Adapter {
  readonly name: AdapterName;
  readonly title: string;
  /** Names in the repository's node_modules of the SDKs that it is held to, each with a title. */
  readonly sdks: readonly (readonly [title: string, name: string])[];
  start(sdk: string, env?: Readonly<Record<string, string>>): Promise<Provider>;
}

/** By their names, without the namespace; polls come quickly. */
export function settingsFor({ url, apiKey }: { readonly url: string; readonly apiKey: string }) {
  return { baseUrl: url, apiKey, pollInterval: "20ms", maxConcurrency: "4" };
}

/** Without what the engine hides, except for the private state. */
export function shown(values: Values): Values {
  const hidden = ["__options", "__provider"];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)));
}
