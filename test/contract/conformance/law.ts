/** A law of the table: a sentence, and the test of it for a provider. */
import type { Emulator } from "../../../emulator";
import type {
  AdapterName,
  Checked,
  Declared,
  Difference,
  DynamicProvider,
  Held,
  PackagedProvider,
  Provider,
} from "../../support/adapters";
import { FailedCall } from "../../support/adapters";
import type { Values } from "../../support/provider-process";

/** A configured provider, and its service. */
export interface World<P extends Provider = Provider> {
  readonly provider: P;
  readonly service: Emulator;
  /** The name of the project's SDK in node_modules of the repository. */
  readonly sdk: string;
  /** Settings that connect to the service, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** The provider of the next run. The engine starts one process per run. */
  nextRun(): Promise<P>;
  /** Creates a resource as `up` does, and forgets its requests. */
  up(declared: Declared): Promise<Held>;
  /** Check, then diff, as the engine does it. */
  compare(old: Held, now: Declared): Promise<Checked & Difference>;
}

export interface Law {
  readonly says: string;
  /** The only adapter that it holds for, and why. */
  readonly only?: { readonly adapter: AdapterName; readonly why: string };
  holds(world: World): Promise<void>;
}

export function law(says: string, holds: (world: World) => Promise<void>): Law {
  return { says, holds };
}

export function onlyDynamic(
  why: string,
  says: string,
  holds: (world: World<DynamicProvider>) => Promise<void>,
): Law {
  return { says, only: { adapter: "dynamic", why }, holds: holds as Law["holds"] };
}

export function onlyPackaged(
  why: string,
  says: string,
  holds: (world: World<PackagedProvider>) => Promise<void>,
): Law {
  return { says, only: { adapter: "packaged", why }, holds: holds as Law["holds"] };
}

/** A resource of a program. */
export function app(name: string, more: Values = {}, customTimeouts?: Declared["customTimeouts"]): Declared {
  const sourceRevisionConfig = { imageUri: `registry.example.com/${name}:1` };
  return { name, args: { source: "external_container", sourceRevisionConfig, ...more }, customTimeouts };
}

export const image = (tag: string): Values => ({
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
});

/** Stands for an unknown value. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<FailedCall> {
  const error = await call.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof FailedCall) return error;
  throw error;
}
