import type { Clock } from "../clock";
import type { Dialect } from "../dialects";
import type { Limits } from "../limits";
import type { Place, Run } from "./run";
import type { Service } from "./service";
import type { Values } from "../values";

/** What tells the user how it goes. Never fails. */
export interface Log {
  info(message: string): void;
  warning(message: string): void;
  /** A message that the next one replaces. */
  progress(message: string): void;
}

/** The settings of a connection that decide which deployments are its own. */
export interface Connected {
  /** Scheme, host and path prefix. */
  readonly address: string;
  /** The tenant that the connection is set to, if it is. */
  readonly tenantId?: string | undefined;
  readonly dialect: Dialect;
  /** Tells the API key from others. */
  readonly keyDigest?: string | undefined;
}

/** What an operation works with; what was sent is not taken back at its limits. */
export interface Context extends Connected, Limits {
  readonly service: Service;
  /** What this run of the engine has done so far. */
  readonly run: Run;
  /** URN of the resource, where it is known. */
  readonly resource?: string | undefined;
  /** Paths of arguments that the program passed as secrets: `sourceConfig.customUrl`. */
  readonly secretPaths?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where the operation's deployment is, or is to be. */
export function placeOf(context: Context, values: Values): Place {
  return {
    resource: resourceOf(context, values),
    address: context.address,
    name: String(values["name"]),
  };
}

/** The resource that an operation is for: its URN, or its name where that is not known. */
export function resourceOf({ resource }: Context, values: Values): string {
  return resource ?? String(values["name"]);
}
