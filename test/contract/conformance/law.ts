/** A law of the table: a sentence, and how it is seen to hold for a provider. */
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

/** A configured provider and the service that it talks to. */
export interface World<P extends Provider = Provider> {
  readonly provider: P;
  readonly service: Emulator;
  /** The name in the repository's node_modules of the SDK that the project has. */
  readonly sdk: string;
  /** Settings that reach the service, by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** The provider of another run: the engine starts a process for each. */
  nextRun(): Promise<P>;
  /** As an `up` of a new resource; what it asked the service for is forgotten. */
  up(declared: Declared): Promise<Held>;
  /** As the engine does for a resource of the program: check, then diff. */
  compare(old: Held, now: Declared): Promise<Checked & Difference>;
}

export interface Law {
  readonly says: string;
  /** The one adapter that it is for, and why the other cannot have it. */
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

/** What stands for a value that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The error that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<FailedCall> {
  const error = await call.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof FailedCall) return error;
  throw error;
}
