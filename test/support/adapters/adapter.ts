/**
 * A provider as the engine knows it, whichever protocol it is driven by: values go in and come out with the marks of
 * secrets, and what the engine keeps of a resource between two calls is one thing.
 */
import type { Failure, ProviderCalls } from "../provider-process/calls";
import { CallError, type Values } from "../provider-process/grpc";

/** A resource as a program declares it. Secrets are marked as the engine marks them. */
export interface Declared {
  /** The logical name. */
  readonly name: string;
  readonly args: Values;
  /** `200ms` */
  readonly customTimeouts?: Readonly<Partial<Record<"create" | "update" | "delete", string>>> | undefined;
}

export interface Checked {
  readonly declared: Declared;
  readonly inputs: Values;
  readonly failures: readonly Failure[];
}

/** What the state has of a resource. */
export interface Held {
  readonly declared: Declared;
  readonly id: string;
  readonly inputs: Values;
  readonly state: Values;
}

/** What the engine makes of a comparison. */
export interface Difference {
  readonly isChanged: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** A call that failed, as the engine learns of it. */
export class FailedCall extends Error {
  constructor(
    message: string,
    readonly reasons: readonly string[] = [],
    /** The resource that exists all the same, as the engine writes it down. */
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

export abstract class Provider {
  protected constructor(private readonly calls: ProviderCalls) {}

  /** @param settings by their names, without the namespace */
  abstract configure(settings: Readonly<Record<string, string>>): Promise<void>;
  /** What is wrong with settings, as a preview with one resource tells it. */
  abstract settingsFailures(settings: Readonly<Record<string, string>>): Promise<readonly Failure[]>;
  abstract check(declared: Declared, old?: Held): Promise<Checked>;
  abstract diff(old: Held, checked: Checked): Promise<Difference>;
  abstract create(checked: Checked): Promise<Held>;
  abstract update(old: Held, checked: Checked): Promise<Held>;
  /** Undefined where there is no such resource any more. */
  abstract read(old: Held): Promise<Held | undefined>;
  abstract delete(old: Held): Promise<void>;

  get project() {
    return this.calls.project;
  }

  /** What it told the engine. */
  get messages() {
    return this.calls.messages;
  }

  /** What it printed, which the engine shows without saying of which resource. */
  get output(): string {
    return this.calls.output;
  }

  /** From here on, only what comes is seen. */
  forget(): void {
    this.calls.forget();
  }

  version(): Promise<string> {
    return this.calls.version();
  }

  urn(name: string): string {
    return this.calls.urn(name);
  }

  /** What the engine says at the first Ctrl-C. */
  cancel(): Promise<void> {
    return this.calls.cancel();
  }

  stop(): Promise<void> {
    return this.calls.stop();
  }
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
