import type { Clock } from "../clock";
import type { Dialect } from "../dialects";
import type { Service } from "./service";

/** What tells the user how it goes. Never fails. */
export interface Log {
  info(message: string): void;
  warning(message: string): void;
  /** A message that the next one replaces. */
  progress(message: string): void;
}

/** What an operation works with. */
export interface Context {
  readonly service: Service;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly log: Log;
  /** The tenant that the connection is set to, if it is. */
  readonly tenantId?: string | undefined;
  /** How long the operation may wait, in milliseconds. */
  readonly timeout: number;
  /** Aborted when the user does not want to wait any longer. What was sent is not taken back. */
  readonly signal?: AbortSignal;
}
