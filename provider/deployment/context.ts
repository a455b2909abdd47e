/** What an operation works with: its connection, its limits, the run that it belongs to, and who is told. */
import type { ResourceOptions } from "./internal-inputs";
import type { Clock } from "../time/clock";
import type { Dialect } from "../dialects";
import type { Limits } from "../time/limits";
import type { Claimant } from "./claims";
import type { Run } from "./run";
import type { Service, SourceFolder } from "./service";

/** Messages to the user. Never fails. */
export interface Log {
  info(message: string): void;
  warning(message: string): void;
  /** A message that the next one replaces. */
  progress(message: string): void;
  /** Whether this is a terminal, where each poll updates the time. A log gets a line every 30 seconds. */
  readonly isWatched: boolean;
}

/** The settings of a connection that determine which deployments belong to it. */
export interface Connected {
  /** Scheme, host and path prefix. */
  readonly address: string;
  /** The configured tenant, if any. */
  readonly tenantId?: string | undefined;
  readonly dialect: Dialect;
  /** Identifies the API key. */
  readonly keyDigest?: string | undefined;
}

/** With the resource options that the operation follows, as far as the protocol tells them. */
export interface Context
  extends Connected, Limits, Pick<ResourceOptions, "secretPaths" | "retainOnDelete" | "ignoreChanges"> {
  readonly service: Service;
  /** This run of the engine. */
  readonly run: Run;
  /** The operation's resource, and its deployment's name at the service. */
  readonly claimant: Claimant;
  /** The declared source folder, if the service accepts uploads. */
  readonly sourceFolder?: SourceFolder | undefined;
  readonly clock: Clock;
  readonly log: Log;
}
