/** What an operation works with: its connection, its limits, the run that it belongs to, and where messages go. */
import type { Path } from "../../schema/tree";
import type { PathPattern } from "../../schema/property-path";
import type { Clock } from "../time/clock";
import type { Dialect } from "../dialects";
import type { Limits } from "../time/limits";
import type { Claimant } from "./claims";
import type { Run } from "./run";
import type { Service, SourceFolder } from "./service";

/** The operations that the resource option `customTimeouts` names. */
export type Operation = "create" | "update" | "delete";

/** What the engine knows about a resource besides its values. */
export interface ResourceOptions {
  /** The URN, so that messages appear on the resource. */
  readonly urn?: string;
  /** The provider's URN, or `default` for the stack's own connection. */
  readonly provider?: string;
  /** The id of a provider that the program created. An alias keeps it. In a preview, new providers have none. */
  readonly providerId?: string;
  /** The resource option `customTimeouts`, as given. */
  readonly timeouts?: Partial<Record<Operation, string>>;
  /** The resource option of that name. The engine applies it; messages must agree. */
  readonly replaceOnChanges?: readonly PathPattern[];
  /** The resource option of that name. The engine keeps the last known values, which may have changed since. */
  readonly ignoreChanges?: readonly PathPattern[];
  /** The resource option of that name: the engine deletes nothing, so a replacement finds the name taken. */
  readonly retainOnDelete?: boolean;
  /** Only in a preview, and never stored: by path, the output of another resource that an argument follows. */
  readonly follows?: Readonly<Record<string, string>>;
  /** Paths of arguments that the program passed as secrets, without `secrets` itself. */
  readonly secretPaths?: readonly Path[];
}

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
